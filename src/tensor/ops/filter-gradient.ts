/** How the gradient of a convolution in its filter is written in ONNX, which has no op for it. */
import type { GraphWriter } from '../onnx.ts';
import type { Tensor } from '../tensor.ts';
import type { Geometry } from './conv.ts';

/** The filter's gradient in the form that is faster for its geometry. */
export function writeFilterGradient(
  node: Tensor,
  image: string,
  outer: string,
  geometry: Geometry,
  kernel: readonly [number, number],
  graph: GraphWriter,
): string {
  const { shape } = node.inputs[0];
  const unit = geometry.stride[0] === 1 && geometry.stride[1] === 1;
  // A few channels do not fill a product, and copies of the gradient would cost more than they bring.
  const worthwhile = unit && typeof shape[0] === 'number' && Number(shape[1]) >= 8;
  return (worthwhile ? asProduct : asConvolution)(node, image, outer, geometry, kernel, graph);
}

/**
 * For stride 1, as one product an image: copies of the image moved by each column of taps, times copies of the output's
 * gradient moved by each row of taps. Every pair of copies is one tap, so nothing is computed in vain.
 */
function asProduct(
  node: Tensor,
  image: string,
  outer: string,
  { padding, dilation }: Geometry,
  [rows, columns]: readonly [number, number],
  graph: GraphWriter,
): string {
  const [x, dy] = node.inputs;
  const [n, c] = x.shape.map(Number);
  const [, o, , width] = dy.shape.map(Number);
  const height = Number(x.shape[2]) + padding[0] + padding[2];
  const padded = pad(image, [0, 0, padding[0], padding[1], 0, 0, padding[2], padding[3]], graph);
  const moved = Array.from({ length: columns }, (_, j) => {
    const start = j * dilation[1];
    const places = [[start], [start + width], [3]].map((place) => graph.integers(place));
    return graph.node('Slice', [padded, ...places], undefined, {}, 'moved');
  });
  const lowered = Array.from({ length: rows }, (_, i) => {
    const above = i * dilation[0];
    return pad(outer, [0, 0, above, 0, 0, 0, height - Number(dy.shape[2]) - above, 0], graph);
  });
  const images = joined(moved, [n, columns * c, height * width], graph);
  const outers = joined(lowered, [n, rows * o, height * width], graph);
  const turned = graph.node('Transpose', [images], undefined, { perm: [0, 2, 1] }, 'moved');
  const each = graph.node('MatMul', [outers, turned], undefined, {}, 'taps of each image');
  const sum = graph.node('ReduceSum', [each, graph.integers([0])], undefined, { keepdims: 0 }, 'taps');
  const split = graph.node('Reshape', [sum, graph.integers([rows, o, columns, c])], undefined, {}, 'taps');
  return graph.node('Transpose', [split], node, { perm: [1, 3, 0, 2] });
}

function joined(parts: string[], shape: number[], graph: GraphWriter): string {
  const all = parts.length === 1 ? parts[0] : graph.node('Concat', parts, undefined, { axis: 1 }, 'moved');
  return graph.node('Reshape', [all, graph.integers(shape)], undefined, {}, 'moved');
}

function pad(name: string, amounts: number[], graph: GraphWriter): string {
  if (amounts.every((amount) => amount === 0)) return name;
  return graph.node('Pad', [name, graph.integers(amounts)], undefined, { mode: 'constant' }, 'padded');
}

/**
 * As a convolution itself: images and channels change places, the output's gradient is the filter, and stride and dilation
 * change places too. Places that the forward pass never reached are cut off.
 */
function asConvolution(
  node: Tensor,
  image: string,
  outer: string,
  geometry: Geometry,
  kernel: readonly [number, number],
  graph: GraphWriter,
): string {
  const [x, dy] = node.inputs;
  const swap = { perm: [1, 0, 2, 3] };
  const imageByChannel = graph.node('Transpose', [image], undefined, swap, `${x.label ?? 'image'} by channel`);
  const outerByChannel = graph.node('Transpose', [outer], undefined, swap, `${dy.label ?? 'gradient'} by channel`);
  const full = graph.node('Conv', [imageByChannel, outerByChannel], undefined, {
    kernel_shape: dy.shape.slice(2).map(Number),
    strides: geometry.dilation,
    dilations: geometry.stride,
    pads: geometry.padding,
  });
  const reached = [0, 1].map((side) => {
    const room = Number(x.shape[2 + side]) + geometry.padding[side] + geometry.padding[2 + side];
    return (
      Math.floor((room - geometry.stride[side] * (Number(dy.shape[2 + side]) - 1) - 1) / geometry.dilation[side]) + 1
    );
  });
  const exact = reached[0] === kernel[0] && reached[1] === kernel[1];
  const taps = exact
    ? full
    : graph.node('Slice', [full, graph.integers([0, 0]), graph.integers([...kernel]), graph.integers([2, 3])]);
  return graph.node('Transpose', [taps], node, swap);
}
