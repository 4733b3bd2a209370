// @ts-check
/**
 * Whether the verdict of `untangle contrast` holds: on piles that differ in nothing, how often it finds something.
 * `npm run bench -- contrast-null [sets=200] [kinds=table,counts,pictures] [steps=150]`
 */
import { contrastInMemory, plantedPiles } from '../dist/contrast/index.js';
import { optionsOf } from './options.js';

/** The settings that every set of a kind is trained with. */
export const settings = {
  table: ['scale=0.5', 'beta=1', 'batchSize=64', 'learningRate=0.002', 'zLatents=4', 'sLatents=2'],
  counts: ['beta=1', 'batchSize=64', 'learningRate=0.002', 'zLatents=4', 'sLatents=2'],
  pictures: [
    'network=mlp',
    'likelihood=gaussian',
    'scale=0.1',
    'beta=1',
    'batchSize=64',
    'learningRate=0.002',
    'zLatents=4',
    'sLatents=2',
  ],
};

/** @param {{ json: boolean, options: string[] }} call */
export async function run({ json, options }) {
  const given = optionsOf(options, { sets: '200', kinds: 'table,counts,pictures', steps: '150', items: '300' });
  /** @type {{ kind: string, grouped: boolean, sets: number, p01: number, p05: number, found: number, shared01: number }[]} */
  const rows = [];
  for (const kind of given.kinds.split(','))
    for (const repeats of [1, 10]) {
      const p = [];
      const ofShared = [];
      let found = 0;
      for (let seed = 1; seed <= Number(given.sets); seed++) {
        const piles = plantedPiles({ kind, items: Number(given.items), share: 0, repeats, seed });
        const { verdict } = await contrastInMemory(piles, { set: settings[kind], steps: Number(given.steps), seed });
        p.push(verdict.salient.pValue);
        ofShared.push(verdict.shared?.pValue ?? 1);
        if (verdict.found !== 'nothing') found++;
        if (seed % 10 === 0)
          console.error(`${kind}, ${repeats > 1 ? 'grouped' : 'single rows'}: ${seed} sets, ${found} found`);
      }
      /** @type {(values: number[], level: number) => number} */
      const share = (values, level) => values.filter((value) => value < level).length / values.length;
      const row = {
        kind,
        grouped: repeats > 1,
        sets: p.length,
        p01: share(p, 0.01),
        p05: share(p, 0.05),
        found: found / p.length,
        shared01: share(ofShared, 0.01),
      };
      rows.push(row);
      console.error(JSON.stringify(row));
    }
  if (json) console.log(JSON.stringify(rows));
  else console.table(rows);
}
