import { execFileSync } from 'node:child_process';
import { afterEach, expect, test } from 'vitest';
import { Workshop } from './workshop.ts';

let workshop: Workshop;
afterEach(() => workshop.close());

const wrong = { kind: 'items', request: { folder: '/nowhere', part: 'test', from: 0, count: 1 } } as const;

test('an error in the workshop comes back as a sentence', async () => {
  workshop = new Workshop();
  await expect(workshop.order(wrong)).rejects.toThrow('There is no “/nowhere/run.json”.');
});

test('a workshop whose process was killed fails what waits, and the next order starts a new one', async () => {
  workshop = new Workshop();
  await expect(workshop.order(wrong)).rejects.toThrow('There is no');
  const children = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', `${process.pid}`], { encoding: 'utf8' });
  const pid = Number(/^\s*(\d+) .*workshop-process/m.exec(children)?.[1]);
  const slow = workshop.order({
    kind: 'prepare',
    request: { method: 'vae', data: 'dsprites-small', root: '/nowhere' },
  });
  process.kill(pid, 'SIGKILL');
  await expect(slow).rejects.toThrow('The process that opens data and models ended.');
  await expect(workshop.order(wrong)).rejects.toThrow('There is no “/nowhere/run.json”.');
});

test('more than a page would ask for at once is refused', async () => {
  workshop = new Workshop();
  const orders = Array.from({ length: 64 }, () => workshop.order(wrong).catch(() => {}));
  expect(() => workshop.order(wrong)).toThrow('Too much is asked for at once.');
  await Promise.all(orders);
  await expect(workshop.order(wrong)).rejects.toThrow('There is no');
});
