/**
 * Leakage: how much of a label or factor a linear probe finds in the block where it should not be. Matched distributions do
 * not keep information out of a block, so a W2 or a clustering of its own says little without this number.
 */

import { fitLeastSquares, mean, predictRegression } from '../analysis/index.ts';
import { UntangleError, unknownName } from '../errors.ts';
import { names } from '../options/index.ts';
import { accuracyOf, majorityShare } from './accuracy.ts';
import { type CodeBlock, count, defineMetric, type Inputs } from './metric.ts';
import { linearClassifier } from './probes.ts';
import { type ClassColumn, classesAt, classTargets, codeRows, column, splitRows } from './rows.ts';

export const leakage = defineMetric({
  name: 'leakage',
  title: 'Leakage',
  version: '1',
  needs: ['codes', 'blocks'],
  describe: 'how much of the labels a linear probe finds in blocks that should not hold them (0 chance, 1 everything)',
  better: 'lower',
  options: {
    belongs: names('the block that each factor belongs to; labels belong to every block that is not shared', {
      default: {},
    }),
    train: count('rows to train on', 5000, 2),
    test: count('rows to test on', 5000),
  },
  score(inputs, { belongs, train, test }, context) {
    const notes: string[] = [];
    const { codes, factors } = inputs;
    const blocks = codes.blocks ?? [];
    const rows = splitRows(codes.n, train, test, context);
    const targets = probedTargets(inputs, notes);
    checkBelongs(belongs, blocks, targets);

    const matrix = blocks.map(({ start, size, name }, b) => {
      context.onProgress?.(b / blocks.length, `leakage into “${name}”`);
      const x = codeRows(codes, rows.train, start, size);
      const held = codeRows(codes, rows.test, start, size);
      return targets.map((target) => {
        if (target.kind === 'classes') {
          const actual = classesAt(target, rows.test);
          const { predicted } = linearClassifier(
            { x, y: classesAt(target, rows.train), n: rows.train.length },
            { x: held, y: actual, n: rows.test.length },
            size,
            target.size,
            context.seed,
          );
          return aboveChance(accuracyOf(predicted, actual), majorityShare(actual, target.size));
        }
        const at = (part: Uint32Array) => column(factors!.values, factors!.factors.length, target.k, part);
        const model = fitLeastSquares({ x, n: rows.train.length, d: size, y: at(rows.train) });
        return testR2(predictRegression(model, held, rows.test.length, size), at(rows.test));
      });
    });

    const leaks: number[] = [];
    targets.forEach((target, k) => {
      const home = Object.hasOwn(belongs, target.name) ? belongs[target.name] : undefined;
      blocks.forEach((block, b) => {
        const wrong = home !== undefined ? block.name !== home : target.k === -1 && block.role === 'shared';
        if (wrong) leaks.push(matrix[b][k]);
      });
    });
    if (leaks.length === 0)
      throw new UntangleError('Nothing says which block is the wrong one for any label or factor.', {
        hint: 'Give labels and a block with role shared, or name the block of a factor in the option belongs.',
      });
    return {
      score: mean(leaks),
      parts: { blocks: blocks.map(({ name }) => name), targets: targets.map(({ name }) => name), matrix },
      notes,
    };
  },
});

/** An accuracy on the scale from chance, 0, to certainty, 1. */
const aboveChance = (accuracy: number, chance: number) =>
  chance < 1 ? Math.max(0, (accuracy - chance) / (1 - chance)) : 0;

/** 1 − Σ (y − ŷ)²/Σ (y − mean)², not below 0. */
function testR2(predicted: Float64Array, actual: Float64Array): number {
  const centre = mean(actual);
  let residual = 0;
  let total = 0;
  for (let i = 0; i < actual.length; i++) {
    residual += (actual[i] - predicted[i]) ** 2;
    total += (actual[i] - centre) ** 2;
  }
  return total > 0 ? Math.max(0, 1 - residual / total) : 0;
}

type Target = ({ kind: 'classes' } & ClassColumn) | { kind: 'numbers'; name: string; k: number };

function probedTargets(inputs: Inputs, notes: string[]): Target[] {
  const { labels, factors } = inputs;
  const all = factors?.factors ?? [];
  if (!labels && all.length === 0) throw new UntangleError('Leakage needs labels or factors to look for.');
  const numbers = all.flatMap(({ name, kind }, k): Target[] =>
    kind === 'continuous' ? [{ kind: 'numbers', name, k }] : [],
  );
  if (!labels && numbers.length === all.length) return numbers;
  return [...classTargets(inputs, notes).map((target): Target => ({ kind: 'classes', ...target })), ...numbers];
}

function checkBelongs(belongs: Record<string, string>, blocks: readonly CodeBlock[], targets: readonly Target[]): void {
  for (const [factor, block] of Object.entries(belongs)) {
    const factors = targets.map(({ name }) => name);
    const names = blocks.map(({ name }) => name);
    if (!factors.includes(factor)) throw unknownName('factor', factor, factors);
    if (!names.includes(block)) throw unknownName('block', block, names);
  }
}
