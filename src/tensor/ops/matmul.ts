/** Matrix products: of two matrices with either one transposed, with a bias added in the same pass, and of stacks of matrices. */
import { UntangleError } from '../../errors.ts';
import { broadcastShapes, type Shape } from '../shape.ts';
import { elementwiseSpread, partUsed, rowsMeet, type Spread, show, whole } from '../spread.ts';
import { type Op, Tensor } from '../tensor.ts';
import { transpose } from './layout.ts';
import { sumTo } from './reduce.ts';

/** The product of two matrices, or of stacks of them whose leading dimensions broadcast. */
export function matmul(a: Tensor, b: Tensor): Tensor {
  if (a.rank === 2 && b.rank === 2) return product(a, b);
  if (a.rank < 2 || b.rank < 2 || a.shape[a.rank - 1] !== b.shape[b.rank - 2]) throw misfit('matmul', a, b);
  const stack = broadcastShapes(a.shape.slice(0, -2), b.shape.slice(0, -2));
  if (stack === undefined) throw misfit('matmul', a, b);
  const shape: Shape = [...stack, a.shape[a.rank - 2], b.shape[b.rank - 1]];
  return new Tensor(matmulOp, [a, b], shape, a.type, elementwiseSpread('matmul', [a, b], shape.length, 'scaled'));
}
const matmulOp: Op = {
  name: 'matmul',
  gradient: ({ inputs: [a, b] }, dy) => [
    sumTo(matmul(dy, transpose(b, lastTwoSwapped(b.rank))), a),
    sumTo(matmul(transpose(a, lastTwoSwapped(a.rank)), dy), b),
  ],
  write: (node, inputs, graph) => graph.node('MatMul', inputs, node),
};

/** The product of two matrices, either of them transposed first, plus a bias: op(a) · op(b) + bias. */
export function product(
  a: Tensor,
  b: Tensor,
  options: { transposeA?: boolean; transposeB?: boolean; bias?: Tensor } = {},
): Tensor {
  const { transposeA = false, transposeB = false, bias } = options;
  const transposes = [transposeA, transposeB];
  if (a.rank !== 2 || b.rank !== 2) throw misfit('product', a, b, transposes);
  const [rows, innerA] = transposeA ? [a.shape[1], a.shape[0]] : [a.shape[0], a.shape[1]];
  const [innerB, columns] = transposeB ? [b.shape[1], b.shape[0]] : [b.shape[0], b.shape[1]];
  if (innerA !== innerB) throw misfit('product', a, b, transposes);
  if (bias !== undefined && !(bias.rank === 1 && bias.shape[0] === columns)) {
    throw new UntangleError(
      `product: the bias ${show(bias)} does not fit the ${columns} columns of ${show(a)} times ${show(b)}.`,
    );
  }
  const op: Op = {
    name: 'product',
    linear: true,
    gradient: (node, dy) => {
      const [x, y, offset] = node.inputs;
      const inX = transposeA
        ? product(y, dy, { transposeA: transposeB, transposeB: true })
        : product(dy, y, { transposeB: !transposeB });
      const inY = transposeB
        ? product(dy, x, { transposeA: true, transposeB: transposeA })
        : product(x, dy, { transposeA: !transposeA });
      return offset === undefined ? [inX, inY] : [inX, inY, sumTo(dy, offset)];
    },
    write: (node, inputs, graph) =>
      graph.node('Gemm', inputs, node, { ...(transposeA && { transA: 1 }), ...(transposeB && { transB: 1 }) }),
  };
  const spread = productSpread(a, b, transposeA, transposeB);
  if (bias !== undefined && bias.spread.kind === 'rows') throw rowsMeet('product', bias);
  if (bias !== undefined && bias.spread.kind !== (spread.kind === 'part' ? 'part' : 'whole'))
    throw partUsed('product', spread.kind === 'part' ? a : bias);
  return new Tensor(op, bias === undefined ? [a, b] : [a, b, bias], [rows, columns], a.type, spread);
}

/** Rows of `a` give rows; a product that sums over the rows of both gives each worker's summand. */
function productSpread(a: Tensor, b: Tensor, transposeA: boolean, transposeB: boolean): Spread {
  const [left, right] = [a.spread, b.spread];
  if ((left.kind === 'part' && right.kind !== 'whole') || (right.kind === 'part' && left.kind !== 'whole'))
    throw partUsed('product', left.kind === 'part' ? a : b);
  if (left.kind === 'rows' && right.kind === 'rows') {
    if (transposeA && !transposeB) return { kind: 'part', workers: left.workers };
    throw rowsMeet('product', b);
  }
  if (left.kind === 'rows') {
    if (!transposeA) return left;
    throw rowsMeet('product', a);
  }
  if (right.kind === 'rows') throw rowsMeet('product', b);
  return left.kind === 'part' ? left : right.kind === 'part' ? right : whole;
}

function lastTwoSwapped(rank: number): number[] {
  return Array.from({ length: rank }, (_, i) => (i === rank - 1 ? rank - 2 : i === rank - 2 ? rank - 1 : i));
}

function misfit(what: string, a: Tensor, b: Tensor, [left, right]: boolean[] = []): UntangleError {
  const shown = (tensor: Tensor, transposed: boolean) => `${show(tensor)}${transposed ? ' transposed' : ''}`;
  return new UntangleError(`${what}: ${shown(a, left)} and ${shown(b, right)} do not fit together.`, {
    hint: 'The last dimension of the first must equal the second-last of the second.',
  });
}
