// @ts-check
/** What the exact W2 term costs: a step of Eq. 8 beside the same step of Eq. 7, batch 128 on Grassy-MNIST, in turns. */
import { openData } from '../dist/data/index.js';
import { methodNamed } from '../dist/methods/index.js';
import { nodeBackend, openTeam } from '../dist/runtime/node/index.js';
import { partData, readSettings, resolveSettings, Session } from '../dist/training/index.js';
import { figure } from './spread.js';

const rounds = 12;
const stepsPerRound = 3;

/** @param {{ json: boolean }} options */
export async function run({ json }) {
  const opened = await openData('grassy-mnist');
  const sessions = [await open('contrastive-correct', opened), await open('contrastive-w2', opened)];
  /** @type {number[][]} */
  const times = [[], []];
  for (let round = 0; round < rounds; round++) {
    for (const [i, session] of sessions.entries()) {
      const begun = performance.now();
      for (let step = 0; step < stepsPerRound; step++) await session.step();
      // The first round warms up.
      if (round > 0) times[i].push((performance.now() - begun) / stepsPerRound);
    }
  }
  for (const session of sessions) await session.close();
  const [without, withW2] = times.map((values) => figure(values).median);
  const share = withW2 / without - 1;
  if (json) console.log(JSON.stringify({ without, withW2, share }));
  else
    console.log(
      `Eq. 7 ${without.toFixed(1)} ms, Eq. 8 ${withW2.toFixed(1)} ms a step: ${(100 * share).toFixed(1)} % more.`,
    );
}

/** @param {string} name @param {import('../dist/data/index.js').Opened} opened */
async function open(name, opened) {
  const method = methodNamed(name);
  const stored = resolveSettings(method, { preset: 'grassy-mnist' });
  const { options, training } = readSettings(method, stored.options, stored.training);
  const data = partData(opened, method, { seed: 1, validation: 0.1 });
  const backend = await nodeBackend();
  return Session.open(method, data, options, { training, seed: 1, workers: 2, threads: 1, backend, team: openTeam });
}
