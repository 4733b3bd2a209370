/**
 * Work that would hold the server up, in a process of its own: a native library or a wrong file can end that process, and the
 * studio with its trainings goes on.
 */
import { UntangleError } from '../errors.ts';
import { type Hand, startProcess } from '../orders.ts';
import type { NamedRequest } from '../training/index.ts';
import { type JsonText, Refusal } from './answers.ts';
import type { CodesRequest, PartCodes } from './codes.ts';
import type { ItemLabels, Items, ItemsRequest } from './items.ts';

export type Task =
  | { kind: 'items'; request: ItemsRequest }
  | { kind: 'labels'; request: ItemsRequest }
  | { kind: 'codes'; request: CodesRequest }
  | { kind: 'prepare'; request: NamedRequest };

export interface Results {
  items: Items;
  labels: JsonText<ItemLabels>;
  codes: PartCodes;
  prepare: { name: string; notes: string[] };
}

export interface WorkshopWork {
  order: Task;
  news: never;
  result: Results[Task['kind']];
}

/** Orders that may wait at a time. */
const most = 64;

export class Workshop {
  private hand: Hand<WorkshopWork> | undefined;
  private waiting = 0;

  /**
   * Has a task carried out; the process is started with the first one.
   *
   * @example const { values } = await workshop.order({ kind: 'items', request: { folder, part: 'test', from: 0, count: 32 } })
   */
  order<T extends Task>(task: T): Promise<Results[T['kind']]> {
    if (this.waiting >= most)
      throw new Refusal(503, 'Too much is asked for at once.', 'Wait a moment, then ask again.');
    this.hand ??= this.start();
    this.waiting++;
    // A task is answered with the result of its kind.
    const result = this.hand.order(task) as Promise<Results[T['kind']]>;
    return result.finally(() => this.waiting--);
  }

  close(): void {
    this.hand?.process.disconnect();
    this.hand = undefined;
  }

  private start(): Hand<WorkshopWork> {
    const hand = startProcess<WorkshopWork>('studio/workshop-process.js', () => {
      if (this.hand === hand) this.hand = undefined;
      const hint = 'Is there enough memory for it?';
      return new UntangleError('The process that opens data and models ended.', { hint });
    });
    return hand;
  }
}
