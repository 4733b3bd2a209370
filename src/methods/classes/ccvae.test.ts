import { expect, test } from 'vitest';
import { fitLogistic, predict } from '../../analysis/index.ts';
import { trainBriefly } from '../../training/testing/briefly.ts';
import { middleShapes, unseenAccuracy } from '../testing/classes.ts';
import { ccvae } from './ccvae.ts';

test.each([1, 2])(
  'with 60 labels it names unseen shapes, by a part of the code that the rest does not repeat (seed %i)',
  async (seed) => {
    const { session, data } = await trainBriefly(ccvae, {
      data: await middleShapes(),
      set: ['network=mlp', 'batchSize=16', 'learningRate=1e-3', 'gamma=10', 'latents=6', 'classLatents=4'],
      steps: 250,
      seed,
      labels: { labels: 60 },
    });
    const [accuracy] = await unseenAccuracy(session, data);
    expect(accuracy).toBeGreaterThan(0.6);
    const { program, model } = session.assembled;
    expect(model.blocks.map(({ name, role, dependsOn }) => [name, role, dependsOn])).toEqual([
      ['y', 'class', undefined],
      ['z_c', 'class-related', 'y'],
      ['z_s', 'shared', undefined],
    ]);
    const [{ values }] = data.variables;
    const y = Int32Array.from(values);
    const n = y.length;
    const x = data.target.data.gather(Uint32Array.from({ length: n }, (_, i) => i));
    const codes = await program.run('encode', { x });
    const priors = await program.run('constants', {});
    await session.close();
    expect(priors['z_c prior mean'].length).toBe(3 * 4);
    const told = (block: string, d: number) => {
      const points = Float64Array.from(codes[`${block} mean`]);
      const found = predict(fitLogistic({ x: points, n, d, y, classes: 3 }), points, n, d);
      return found.filter((label, i) => label === y[i]).length / n;
    };
    expect(told('z_c', 4)).toBeGreaterThan(told('z_s', 6) + 0.1);
  },
  60_000,
);
