/**
 * Work that would hold the server up, in a process of its own: a native library or a wrong file can end that process, and the
 * studio with its trainings goes on.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { builtFile } from '../built.ts';
import { UntangleError } from '../errors.ts';
import type { TrainRequest } from '../training/index.ts';
import { Refusal } from './answers.ts';
import type { CodesRequest, PartCodes } from './codes.ts';
import type { Items, ItemsRequest } from './items.ts';

export type Task =
  | { kind: 'items'; request: ItemsRequest }
  | { kind: 'labels'; request: ItemsRequest }
  | { kind: 'codes'; request: CodesRequest }
  | { kind: 'prepare'; request: TrainRequest };

export interface Results {
  items: Items;
  /** JSON. */
  labels: string;
  codes: PartCodes;
  prepare: { name: string; notes: string[] };
}

/** What the process is told, and what it answers. */
export interface Order {
  id: number;
  task: Task;
}
export type Reply =
  | { id: number; kind: 'done'; result: Results[Task['kind']] }
  | { id: number; kind: 'failed'; message: string; hint?: string; errorKind: 'call' | 'work' };

interface Waiting {
  resolve: (result: never) => void;
  reject: (error: Error) => void;
}

/** Orders that may wait at a time. */
const most = 64;

export class Workshop {
  private child: ChildProcess | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private next = 1;

  /**
   * Has a task carried out; the process is started with the first one.
   *
   * @example const { values } = await workshop.order({ kind: 'items', request: { folder, part: 'test', from: 0, count: 32 } })
   */
  order<T extends Task>(task: T): Promise<Results[T['kind']]> {
    if (this.waiting.size >= most)
      throw new Refusal(503, 'Too much is asked for at once.', 'Wait a moment, then ask again.');
    this.child ??= this.start();
    const id = this.next++;
    const order: Order = { id, task };
    this.child.send(order);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
    });
  }

  close(): void {
    this.child?.disconnect();
    this.child = undefined;
  }

  private start(): ChildProcess {
    const child = fork(fileURLToPath(builtFile('studio/workshop-process.js')), {
      // Typed arrays go as they are.
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.on('message', (reply: Reply) => {
      const waiting = this.waiting.get(reply.id);
      this.waiting.delete(reply.id);
      // The process answers a task with the result of its kind.
      if (reply.kind === 'done') waiting?.resolve(reply.result as never);
      else
        waiting?.reject(
          new UntangleError(reply.message, {
            kind: reply.errorKind,
            ...(reply.hint !== undefined && { hint: reply.hint }),
          }),
        );
    });
    const lost = () => {
      if (this.child === child) this.child = undefined;
      for (const { reject } of this.waiting.values())
        reject(
          new UntangleError('The process that opens data and models ended.', {
            hint: 'Is there enough memory for it?',
          }),
        );
      this.waiting.clear();
    };
    child.on('error', lost);
    child.on('exit', lost);
    return child;
  }
}
