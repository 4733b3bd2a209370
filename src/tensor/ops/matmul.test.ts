import { z } from 'zod';
import { matmul, product } from '../index.ts';
import { agreesWithTorch } from '../testing/torch.ts';

const options = z.strictObject({ transposeA: z.boolean().optional(), transposeB: z.boolean().optional() });

agreesWithTorch('matmul', options, {
  matmul: ([a, b]) => matmul(a, b),
  product: ([a, b, bias], given) => product(a, b, { ...given, bias }),
});
