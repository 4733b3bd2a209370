/** The workshop's process: opens data, encodes items and makes runs, so that the server never waits for any of it. */
import { UntangleError } from '../errors.ts';
import { prepareRun } from '../training/index.ts';
import { codesOf } from './codes.ts';
import { itemsOf, labelsOf } from './items.ts';
import type { Order, Reply, Results, Task } from './workshop.ts';

/** Who orders: a parent over the channel between processes. Without one there is nobody to work for. */
process.on('disconnect', () => process.exit(0));
// Ctrl-C in a terminal reaches this process too; the server ends it when it is done.
process.on('SIGINT', () => {});

process.on('message', async ({ id, task }: Order) => {
  const reply = await answer(id, task);
  if (process.connected) process.send?.(reply);
});

async function answer(id: number, task: Task): Promise<Reply> {
  try {
    return { id, kind: 'done', result: await carryOut(task) };
  } catch (error) {
    const known = error instanceof UntangleError;
    return {
      id,
      kind: 'failed',
      message: error instanceof Error ? error.message : String(error),
      errorKind: known ? error.kind : 'work',
      ...(known && error.hint !== undefined && { hint: error.hint }),
    };
  }
}

async function carryOut(task: Task): Promise<Results[Task['kind']]> {
  switch (task.kind) {
    case 'items':
      return await itemsOf(task.request);
    case 'labels':
      return await labelsOf(task.request);
    case 'codes':
      return await codesOf(task.request);
    case 'prepare': {
      const { run, notes } = await prepareRun(task.request);
      return { name: run.name, notes };
    }
  }
}
