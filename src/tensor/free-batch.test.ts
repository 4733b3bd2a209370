import { describe, test } from 'vitest';
import { stream } from '../random/index.ts';
import { writeGraph } from './onnx.ts';
import { sizeOf } from './shape.ts';
import { evaluate, expectClose, type Feeds } from './testing/evaluate.ts';
import { batchFormulas, batchInputs } from './testing/formulas.ts';
import { exportedPair } from './testing/training-step.ts';

describe('a free batch dimension: the same numbers as with a fixed one, for any batch size', () => {
  test.each(Object.entries(batchFormulas))('%s', async (_, formula) => {
    const free = formula(...batchInputs('batch'));
    for (const n of [1, 2, 5]) {
      const fixed = formula(...batchInputs(n));
      const feeds: Feeds = {
        codes: stream(n, 'codes').normals(3 * n),
        images: stream(n, 'images').normals(36 * n),
        classes: BigInt64Array.from({ length: n }, (_, i) => BigInt((7 * i) % 4)),
      };
      for (const [name, { shape, op }] of writeGraph({ name: 'fixed', outputs: { y: fixed } }).sources)
        if (op.name === 'parameter') feeds[name] = stream(1, name).normals(sizeOf(shape));
      const [[expected], [actual]] = await Promise.all([evaluate([fixed], feeds), evaluate([free], feeds)]);
      expectClose(actual, expected, 1e-6, `batch of ${n}`);
    }
  });

  test('the exported encoder takes any number of images and treats each by itself', async () => {
    const { encoder } = exportedPair();
    const feeds: Feeds = {};
    for (const [name, { shape }] of writeGraph({ name: 'encoder', outputs: encoder }).sources)
      if (name !== 'image') feeds[name] = stream(1, name).normals(sizeOf(shape));
    const images = stream(2, 'images').normals(3 * 144);
    const [together] = await evaluate([encoder.mean], { ...feeds, image: images });
    for (let i = 0; i < 3; i++) {
      const [alone] = await evaluate([encoder.mean], { ...feeds, image: images.slice(144 * i, 144 * (i + 1)) });
      expectClose(alone, together.slice(4 * i, 4 * (i + 1)), 1e-4, `image ${i}`);
    }
  });
});
