import { expect, test } from 'vitest';
import * as tensor from './index.ts';
import { checkGradient } from './testing/evaluate.ts';
import { formulas } from './testing/formulas.ts';

/** What has no gradient, makes leaves, or is no op. */
const others = [
  ...[
    'cast',
    'equal',
    'greater',
    'greaterOrEqual',
    'less',
    'lessOrEqual',
    'oneHot',
    'partners',
    'sign',
    'stopGradient',
  ],
  ...[
    'constant',
    'input',
    'parameter',
    'rowsInput',
    'scalar',
    'isConstant',
    'isInput',
    'isKept',
    'isParameter',
    'Tensor',
  ],
  ...['encodeModel', 'grad', 'inOrder', 'phasesOf', 'sameShape', 'showShape', 'sizeOf', 'toOnnx', 'writeGraph'],
];

test('no op of the room is left out here', () => {
  const functions = Object.entries(tensor).filter(([, one]) => typeof one === 'function');
  expect(functions.map(([name]) => name).sort()).toEqual([...Object.keys(formulas), ...others].sort());
});

test.each(Object.entries(formulas))(
  'the gradient of %s is what central differences give',
  async (_, [formula, ...of]) => {
    await checkGradient(formula, of);
  },
);
