import { expect, test } from 'vitest';
import { startRequest, trainRequestOf } from './requests.ts';

test('the form becomes the trainer’s request, and the call that does the same', () => {
  const form = startRequest.parse({
    method: 'rb-vae',
    data: 'my scans',
    where: 'ill = 1',
    size: 32,
    crop: true,
    grey: false,
    label: 'class',
    exclude: ['age', 'sex'],
    set: ['beta=8'],
  });
  const { choice, command } = trainRequestOf(form, 'runs');
  expect(choice).toEqual({ where: 'ill = 1', size: 32, crop: true, label: 'class', exclude: ['age', 'sex'] });
  expect(command).toBe(
    "untangle train rb-vae --data 'my scans' --where 'ill = 1' --size 32 --crop --label class --exclude age,sex --set beta=8",
  );
});

test.each([{ size: 0 }, { size: 1.5 }, { size: 1e6 }, { crop: 'yes' }, { label: '' }, { path: '/etc' }])(
  'a form with %j is refused',
  (wrong) => {
    expect(startRequest.safeParse({ method: 'vae', data: 'shapes', ...wrong }).success).toBe(false);
  },
);
