import { z } from 'zod';
import { agreesWithTorch } from '../testing/torch.ts';
import { matmul, product } from './matmul.ts';

const options = z.strictObject({ transposeA: z.boolean().optional(), transposeB: z.boolean().optional() });

agreesWithTorch('matmul', options, {
  matmul: ([a, b]) => matmul(a, b),
  product: ([a, b, bias], given) => product(a, b, { ...given, bias }),
});
