import { expect, test } from 'vitest';
import { grad, input, rowsInput } from '../tensor/index.ts';
import { evaluate } from '../tensor/testing/evaluate.ts';
import { intoRange, reconstruction } from './likelihood.ts';

/** ∂|x − x̂|/∂o of one black pixel (x = −1) at the decoder's value o. */
async function slopeAtBlack(o: number): Promise<number> {
  const x = rowsInput('x', [1], { size: 1, workers: 1 });
  const output = input('o', [1, 1]);
  const loss = reconstruction(intoRange(output, 'symmetric'), x, 'laplace').mean();
  const [[slope]] = await evaluate(grad(loss, [output]), { x: [-1], o: [o] });
  return slope;
}

test('an ℓ₁ loss drives a pixel to black and no further, and has a slope left there', async () => {
  expect(await slopeAtBlack(-1.4)).toBeGreaterThan(0.1);
  expect(await slopeAtBlack(-1.6)).toBeLessThan(-0.1);
});
