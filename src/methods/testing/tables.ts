/** A method, Eq. 7 if not said, on the tables of three shared factors and a salient one, and where it has put them. */
import { trainBriefly } from '../../training/testing/briefly.ts';
import { methodNamed } from '../registry.ts';
import { codesOf, explained, mixedTables } from './contrast.ts';

/** How much of the salient factor a regression finds in z and in s, and the least that it finds of a shared one in z. */
export async function trainedOnTables(set: readonly string[], seed: number, method = 'contrastive-correct') {
  const data = mixedTables();
  const settings = ['zLatents=4', 'sLatents=2', 'scale=0.3', 'batchSize=32', 'learningRate=3e-3'];
  const { session } = await trainBriefly(methodNamed(method), {
    data,
    set: [...(method === 'sep-vae' ? [] : ['beta=1']), ...settings, ...set],
    steps: 500,
    seed,
  });
  const { z, s, items, salientMean } = await codesOf(session, data.target);
  const background = await codesOf(session, data.background);
  await session.close();
  const shared = [0, 1, 2].map((factor) => explained(z, data.target, items, factor));
  return {
    inZ: explained(z, data.target, items, 3),
    inS: explained(s, data.target, items, 3),
    shared: Math.min(...shared),
    /** How large the background's s is beside the target's. */
    background: background.salientMean / salientMean,
  };
}
