/** Convolution by its definition, in double precision: seven loops over images, channels, places and taps. */

/** A convolution's sizes: images [n, c, height, width], filters [o, c, kh, kw], and how they meet. */
export interface Meeting {
  n: number;
  c: number;
  o: number;
  size: readonly [number, number];
  kernel: readonly [number, number];
  stride: readonly [number, number];
  dilation: readonly [number, number];
  /** top, left, bottom, right */
  padding: readonly [number, number, number, number];
  /** How many rows and columns the result has, if fewer than fit. */
  places?: readonly [number, number];
}

/** How many rows and columns the result has. */
export function outputSize({ size, kernel, stride, dilation, padding, places }: Meeting): readonly [number, number] {
  if (places !== undefined) return places;
  const along = (side: 0 | 1) => {
    const room = size[side] + padding[side] + padding[side + 2] - dilation[side] * (kernel[side] - 1) - 1;
    return Math.floor(room / stride[side]) + 1;
  };
  return [along(0), along(1)];
}

/** Σ x[…] w[…] at each place of the result. */
export function correlate(meeting: Meeting, x: Float32Array, w: Float32Array): Float64Array {
  const [height, width] = outputSize(meeting);
  const y = new Float64Array(meeting.n * meeting.o * height * width);
  eachTap(meeting, (atX, atW, atY) => {
    y[atY] += x[atX] * w[atW];
  });
  return y;
}

/** The derivative of Σ y dy in the image: the transposed convolution of dy. */
export function imageGradient(meeting: Meeting, w: Float32Array, dy: Float32Array): Float64Array {
  const dx = new Float64Array(meeting.n * meeting.c * meeting.size[0] * meeting.size[1]);
  eachTap(meeting, (atX, atW, atY) => {
    dx[atX] += w[atW] * dy[atY];
  });
  return dx;
}

/** The derivative of Σ y dy in the filter. */
export function filterGradient(meeting: Meeting, x: Float32Array, dy: Float32Array): Float64Array {
  const dw = new Float64Array(meeting.o * meeting.c * meeting.kernel[0] * meeting.kernel[1]);
  eachTap(meeting, (atX, atW, atY) => {
    dw[atW] += x[atX] * dy[atY];
  });
  return dw;
}

function eachTap(meeting: Meeting, visit: (atX: number, atW: number, atY: number) => void): void {
  const { n, c, o, size, kernel, stride, dilation, padding } = meeting;
  const [height, width] = outputSize(meeting);
  for (let image = 0; image < n; image++)
    for (let out = 0; out < o; out++)
      for (let row = 0; row < height; row++)
        for (let column = 0; column < width; column++)
          for (let channel = 0; channel < c; channel++)
            for (let tapRow = 0; tapRow < kernel[0]; tapRow++)
              for (let tapColumn = 0; tapColumn < kernel[1]; tapColumn++) {
                const y = row * stride[0] + tapRow * dilation[0] - padding[0];
                const x = column * stride[1] + tapColumn * dilation[1] - padding[1];
                if (y < 0 || y >= size[0] || x < 0 || x >= size[1]) continue;
                visit(
                  ((image * c + channel) * size[0] + y) * size[1] + x,
                  ((out * c + channel) * kernel[0] + tapRow) * kernel[1] + tapColumn,
                  ((image * o + out) * height + row) * width + column,
                );
              }
}
