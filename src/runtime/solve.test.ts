import { expect, test } from 'vitest';
import { w2Squared } from '../analysis/wasserstein.ts';
import { stream } from '../random/index.ts';
import { gather, parameter, partners, rowsInput, wholeBatch } from '../tensor/index.ts';
import { sgd } from '../training/session/optimisers.ts';
import { nodeBackend, openTeam } from './node/index.ts';
import { compile } from './program.ts';

const size = 12;

/** W2² between rows of `a`, moved by a parameter, and rows of `b`: exact, with the partners that a solver finds. */
function w2Step(workers: number) {
  const batch = { size, workers };
  const shift = parameter('shift', [3]);
  const a = rowsInput('a', [3], batch).plus(shift);
  const b = rowsInput('b', [3], batch);
  const distance = wholeBatch(a)
    .minus(gather(wholeBatch(b), partners(a, b)))
    .square()
    .sum(1)
    .mean();
  return { shift, distance };
}

const draw = (purpose: string) => stream(4, purpose).normals(size * 3);
const moved = (values: Float32Array, shift: ArrayLike<number>) => values.map((value, i) => value + shift[i % 3]);

test.each([1, 2])(
  'a step finds the best assignment between two batches and follows its gradient, %i worker(s)',
  async (workers) => {
    const { shift, distance } = w2Step(workers);
    const program = await compile(
      {
        parameters: [{ name: 'shift', shape: [3], initial: Float32Array.of(1, -2, 0.5) }],
        steps: {
          fit: { minimises: distance, terms: {}, groups: [{ name: 'all', parameters: [shift], optimiser: sgd() }] },
        },
      },
      { backend: await nodeBackend(), workers, team: openTeam },
    );
    const [a, b] = [draw('a'), draw('b')];
    let at: ArrayLike<number> = [1, -2, 0.5];
    for (let step = 0; step < 5; step++) {
      const expected = w2Squared(moved(a, at), size, b, size, 3);
      // The gradient of W2² in a shift of all points: twice the difference of the means.
      const slope = [0, 1, 2].map((k) => {
        const mean = (values: Float32Array) => values.reduce((sum, v, i) => (i % 3 === k ? sum + v / size : sum), 0);
        return 2 * (mean(moved(a, at)) - mean(b));
      });
      const { loss } = await program.step('fit', { a, b, 'all learning rate': 0.1 });
      expect(loss).toBeCloseTo(expected, 4);
      const next = (await program.state()).parameters.get('shift')!;
      for (let k = 0; k < 3; k++) expect(next[k]).toBeCloseTo(at[k] - 0.1 * slope[k], 4);
      at = next;
    }
    await program.close();
  },
);

test('a function that has something to solve is run in phases', async () => {
  const { distance } = w2Step(1);
  const program = await compile(
    {
      parameters: [{ name: 'shift', shape: [3], initial: Float32Array.of(0, 0, 0) }],
      functions: { measure: { distance, twice: distance.times(2) } },
    },
    { backend: await nodeBackend() },
  );
  const [a, b] = [draw('a'), draw('b')];
  const { distance: found, twice } = await program.run('measure', { a, b });
  expect(found[0]).toBeCloseTo(w2Squared(a, size, b, size, 3), 4);
  expect(twice[0]).toBeCloseTo(2 * found[0], 5);
  await program.close();
});
