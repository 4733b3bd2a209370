/** Eq. 7 on the tables of three shared factors and a salient one, and where it has put them. */
import { trainBriefly } from '../../training/testing/briefly.ts';
import { methodNamed } from '../registry.ts';
import { codesOf, explained, mixedTables } from './contrast.ts';

/** How much of the salient factor a regression finds in z and in s, and the least that it finds of a shared one in z. */
export async function trainedOnTables(set: readonly string[], seed: number) {
  const data = mixedTables();
  const settings = ['beta=1', 'zLatents=4', 'sLatents=2', 'scale=0.3', 'batchSize=32', 'learningRate=3e-3'];
  const { session } = await trainBriefly(methodNamed('contrastive-correct'), {
    data,
    set: [...settings, ...set],
    steps: 500,
    seed,
  });
  const { z, s, items } = await codesOf(session, data.target);
  await session.close();
  const shared = [0, 1, 2].map((factor) => explained(z, data.target, items, factor));
  return {
    inZ: explained(z, data.target, items, 3),
    inS: explained(s, data.target, items, 3),
    shared: Math.min(...shared),
  };
}
