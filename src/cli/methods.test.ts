import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { untangleIn } from './testing/command.ts';

test('methods NAME shows what is ours, and what our searches found, apart from the paper’s', async () => {
  const contrastive = await untangleIn(tmpdir(), 'methods', 'contrastive-w2');
  const places = ['lambdaZ', 'ours, not the paper’s', 'independence', '--preset celeba', 'found by our searches'];
  const found = [...places, '--preset grassy-mnist-short'].map((words) => contrastive.out.indexOf(words));
  expect(found).toEqual([...found].sort((a, b) => a - b));
  expect(found[0]).toBeGreaterThan(0);
  const { ours } = JSON.parse((await untangleIn(tmpdir(), 'methods', 'rb-vae', '--json')).out);
  expect(ours).toEqual(['backgroundBatch', 'sharedFrom', 'givenTo', 'recoding', 'independence', 'apartFromGiven']);
});
