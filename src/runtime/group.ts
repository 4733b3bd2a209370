/**
 * A group of parameters on one worker: its share of them, with what the optimiser remembers. Where workers share a batch,
 * each adds up all workers' gradients of its own share and updates that, in pieces that stay in a core's cache from the
 * first op of the update to the last.
 */
import type { Backend, Bound, OpenGraph, OpenGraphOptions } from './backend.ts';
import type { PhaseInput } from './sources.ts';
import { cutSegments, type Layout, type Segment, segmentsOf } from './store.ts';
import type { ApartUpdate, GroupPlan } from './updates.ts';

export class GroupShare {
  readonly plan: GroupPlan;
  /** Vectors as the update takes them: parameters, gradient and the optimiser's slots. */
  readonly vectors: ReadonlyMap<string, Float32Array>;
  private readonly flat: Float32Array;
  private readonly own: Segment[];
  /** The runs that the vector of parameters does not already look into. */
  private readonly others: Segment[];

  /** @param flat all parameters, with room behind them for a share that runs past the end at `size` */
  constructor(plan: GroupPlan, layout: Layout, flat: Float32Array, size: number, worker: number) {
    this.plan = plan;
    this.flat = flat;
    const all = segmentsOf(plan.parameters, layout);
    const [from, to] = [worker * plan.share, (worker + 1) * plan.share];
    this.own = cutSegments(all, from, to);
    const [first] = this.own;
    const inOne = this.own.length === 1 && (first.end - first.start === plan.share || first.end === size);
    const parameters = inOne ? flat.subarray(first.start, first.start + plan.share) : new Float32Array(plan.share);
    this.others = inOne ? [...cutSegments(all, 0, from), ...cutSegments(all, to, Number.POSITIVE_INFINITY)] : all;
    const rest = (plan.update.kind === 'apart' ? ['gradient', ...plan.slots] : plan.slots).map(
      (name): [string, Float32Array] => [name, new Float32Array(plan.share)],
    );
    this.vectors = new Map([['parameters', parameters], ...rest]);
  }

  /** Brings the share up to date where it is not a view of the parameters. */
  read(): void {
    const share = this.vectors.get('parameters')!;
    if (share.buffer === this.flat.buffer) return;
    eachRun(this.own, (start, end, place) => share.set(this.flat.subarray(start, end), place));
  }

  /** Writes new parameters of the share to their places. */
  write(target: Float32Array, fresh: Float32Array): void {
    eachRun(this.own, (start, end, place) => target.set(fresh.subarray(place, place + end - start), start));
  }

  /** Takes over what the other workers have made of the group's parameters. */
  take(source: Float32Array): void {
    for (const { start, end } of this.others) this.flat.set(source.subarray(start, end), start);
  }
}

function eachRun(segments: readonly Segment[], visit: (start: number, end: number, place: number) => void): void {
  let place = 0;
  for (const { start, end } of segments) {
    visit(start, end, place);
    place += end - start;
  }
}

/** The graph of a group's update, with its values bound piece by piece. */
export class PiecewiseUpdate {
  private readonly graph: OpenGraph;
  private readonly feeds: Record<string, Bound>[];
  private readonly fetches: Record<string, Bound>;
  /** New values of one piece, and the vectors that they go to. */
  private readonly fresh: { piece: Float32Array; target: Float32Array }[];

  private constructor(graph: OpenGraph, backend: Backend, group: GroupShare, plan: ApartUpdate, bind: BindInput) {
    this.graph = graph;
    const pieces = group.plan.share / plan.piece;
    this.feeds = Array.from({ length: pieces }, (_, i) =>
      Object.fromEntries(
        plan.inputs.map((input) => {
          const { source } = input;
          if (source.kind !== 'vector') return [input.name, bind(input)];
          const piece = group.vectors.get(source.vector)!.subarray(i * plan.piece, (i + 1) * plan.piece);
          return [input.name, backend.bind(piece, [plan.piece], 'float32')];
        }),
      ),
    );
    this.fresh = ['parameters', ...group.plan.slots].map((name) => ({
      piece: new Float32Array(plan.piece),
      target: group.vectors.get(name)!,
    }));
    this.fetches = Object.fromEntries(
      plan.outputs.map((name, i) => [name, backend.bind(this.fresh[i].piece, [plan.piece], 'float32')]),
    );
  }

  static async open(
    backend: Backend,
    group: GroupShare,
    plan: ApartUpdate,
    options: OpenGraphOptions,
    bind: BindInput,
  ): Promise<PiecewiseUpdate> {
    return new PiecewiseUpdate(await backend.open(plan.model, options), backend, group, plan, bind);
  }

  /** Updates the group's vectors in place. */
  async run(): Promise<void> {
    for (const [i, feeds] of this.feeds.entries()) {
      await this.graph.run(feeds, this.fetches);
      for (const { piece, target } of this.fresh) target.set(piece, i * piece.length);
    }
  }

  close(): Promise<void> {
    return this.graph.close();
  }
}

/** Binds an input that is not a vector: the learning rate, the step's count, the gradient's scale. */
export type BindInput = (input: PhaseInput) => Bound;
