/** How the gradient of a convolution in its filter is written in ONNX, which has no op for it. */
import type { GraphWriter } from '../onnx.ts';
import type { Tensor } from '../tensor.ts';
import type { Geometry } from './conv.ts';

/**
 * As a convolution itself: images and channels change places, the output's gradient is the filter, and stride and dilation
 * change places too. Places that the forward pass never reached are cut off.
 */
export function writeFilterGradient(
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
