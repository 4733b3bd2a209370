import { expect, test } from 'vitest';
import { UntangleError } from './errors.ts';
import { startProcess, startThread } from './orders.ts';
import type { WorkshopWork } from './studio/workshop.ts';
import type { Training } from './training/start.ts';
import type { Scoring } from './use/score.ts';

const codes = { values: new Float64Array(4), n: 2, d: 2 };
const lost = ({ how }: { how: string }) => new UntangleError(`It ended ${how}.`, { hint: 'Start it again.' });

test('an error of a thread comes with its sentence, its hint, its kind and its place', async () => {
  const request = { names: ['sapp'] };
  const { result } = startThread<Scoring>('use/score-thread.js', { inputs: { codes }, request, seed: 0 });
  const error: UntangleError = await result.then(
    () => expect.unreachable(),
    (caught) => caught,
  );
  expect(error).toBeInstanceOf(UntangleError);
  expect(error.message).toBe('There is no metric “sapp”.');
  expect(error.hint).toContain('Did you mean “sap”?');
  expect(error.kind).toBe('call');
  expect(error.stack).toMatch(/unknownName.*\n.*dist/);
});

test('an error of a process comes the same way, and the process takes the next order', async () => {
  const { process: child, order } = startProcess<WorkshopWork>('studio/workshop-process.js', lost);
  const wrong = { kind: 'labels', request: { folder: '/nowhere', part: 'test', from: 0, count: 1 } } as const;
  for (let i = 0; i < 2; i++) {
    const error: UntangleError = await order(wrong).then(
      () => expect.unreachable(),
      (caught) => caught,
    );
    expect(error.message).toBe('There is no “/nowhere/run.json”.');
    expect(error.stack).toContain('/dist/runs/');
  }
  child.disconnect();
});

test('orders that a process leaves unanswered fail with how it ended', async () => {
  const { process: child, order } = startProcess<Training>('training/process.js', lost);
  const result = order({ folder: '/nowhere' });
  child.kill('SIGKILL');
  await expect(result).rejects.toMatchObject({ message: 'It ended by SIGKILL.', hint: 'Start it again.' });
});
