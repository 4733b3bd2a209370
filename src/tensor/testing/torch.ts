/** PyTorch's values and gradients of our ops, as `tools/fixtures_torch.py` wrote them, and the tests that compare with them. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { grad } from '../grad.ts';
import { constant, input } from '../ops/leaf.ts';
import { sizeOf } from '../shape.ts';
import type { Tensor } from '../tensor.ts';
import { evaluate, expectClose, type Feeds } from './evaluate.ts';

const numbers = z.array(z.number());
const value = z.object({ shape: numbers, values: numbers, type: z.literal('int64').optional() });
const torchCase = z.object({
  name: z.string(),
  op: z.string(),
  options: z.record(z.string(), z.unknown()),
  inputs: z.array(value),
  output: value,
  gradients: z.array(numbers.nullable()),
});
const fixture = z.object({ source: z.string(), parts: z.record(z.string(), z.array(torchCase)) });

export type TorchCase = z.infer<typeof torchCase>;

const { source, parts } = fixture.parse(
  JSON.parse(readFileSync(new URL('../fixtures/torch-ops.json', import.meta.url), 'utf8')),
);

/** The cases of one part of the fixture. */
export function torchCases(part: string): TorchCase[] {
  return parts[part];
}

/** A case in our tensors. */
export interface WrittenCase {
  inputs: Tensor[];
  feeds: Feeds;
  /** What the fixture has: the output, then its gradient in each input of floats. */
  results: Tensor[];
}

/** Writes a case with a formula of ours. */
export function writeCase(one: TorchCase, formula: (inputs: Tensor[]) => Tensor, scalarOf = weighted): WrittenCase {
  const name = (i: number) => `${one.name}: ${'abcdef'[i]}`;
  const inputs = one.inputs.map(({ shape, type }, i) => input(name(i), shape, { type }));
  const feeds: Feeds = {};
  one.inputs.forEach(({ values, type }, i) => {
    feeds[name(i)] = type === 'int64' ? BigInt64Array.from(values, BigInt) : Float32Array.from(values);
  });
  const output = formula(inputs);
  const floats = inputs.filter(({ type }) => type === 'float32');
  return { inputs, feeds, results: [output, ...grad(scalarOf(output), floats)] };
}

/** The scalar whose gradients the fixture has: every entry of the output with a weight of its own. */
export function weighted(output: Tensor): Tensor {
  const weights = Float32Array.from({ length: sizeOf(output.shape) }, (_, i) => (((37 * i + 11) % 29) - 14) / 16);
  return output.times(constant(weights, output.shape)).sum();
}

/**
 * A test for each case of a part: value and gradients of our formula for the case's op are PyTorch's.
 *
 * @example agreesWithTorch('pool', z.object({ factor: z.number() }), { upsample: ([x], { factor }) => upsample(x, factor) })
 */
export function agreesWithTorch<Options>(
  part: string,
  options: z.ZodType<Options>,
  formulas: Record<string, (inputs: Tensor[], options: Options) => Tensor>,
): void {
  const write = (one: TorchCase) => writeCase(one, (inputs) => formulas[one.op](inputs, options.parse(one.options)));
  describe(`${part}: values and gradients are PyTorch’s (${source})`, () => {
    test('every formula has a case, and every case a formula', () => {
      expect(new Set(torchCases(part).map(({ op }) => op))).toEqual(new Set(Object.keys(formulas)));
    });
    const together = evaluateTogether(torchCases(part), write);
    test.each(torchCases(part).map((one) => [one.name, one] as const))('%s', async (_, one) => {
      const written = write(one);
      expect(written.results[0].shape).toEqual(one.output.shape);
      const values = (await together)?.get(one) ?? (await evaluate(written.results, written.feeds));
      expectTorch(one, values);
    });
  });
}

/** The output and the gradients of a case are PyTorch's. */
export function expectTorch(one: TorchCase, [output, ...gradients]: Float32Array[]): void {
  expectClose(output, one.output.values, 1e-5, 'output');
  const expected = one.gradients.filter((gradient) => gradient !== null);
  expected.forEach((gradient, i) => {
    expectClose(gradients[i], gradient, 1e-5, `gradient in float input ${i}`);
  });
}

/** All cases in one graph, which saves time; nothing if one of them fails, so that each is then run by itself. */
async function evaluateTogether(cases: readonly TorchCase[], write: (one: TorchCase) => WrittenCase) {
  try {
    const written = cases.map(write);
    const feeds: Feeds = Object.assign({}, ...written.map((one) => one.feeds));
    const values = await evaluate(
      written.flatMap(({ results }) => results),
      feeds,
    );
    return new Map(cases.map((one, i) => [one, values.splice(0, written[i].results.length)]));
  } catch {
    return undefined;
  }
}
