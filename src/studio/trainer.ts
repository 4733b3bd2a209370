/** The trainings that the studio started, each in a process of its own: start, stop with a checkpoint, go on. */
import { openRun, type RunState } from '../runs/index.ts';
import { type Progress, trainInChild } from '../training/index.ts';
import { Refusal } from './answers.ts';

interface Training {
  stop: AbortController;
  ended: Promise<void>;
  progress?: Pick<Progress, 'rate' | 'left'>;
}

export class Trainer {
  private readonly running = new Map<string, Training>();
  /** Why the last training of a run ended, where its files may not tell. */
  private readonly ends = new Map<string, string>();
  private readonly notes = new Map<string, string[]>();

  /** Trains the run in `folder` from its checkpoint, or from the start; it goes on after the page is closed. */
  async start(name: string, folder: string, notes: readonly string[] = []): Promise<void> {
    const run = await openRun(folder);
    if (this.running.has(name)) throw new Refusal(409, `“${name}” is being trained.`);
    this.ends.delete(name);
    this.notes.set(name, [...notes]);
    const stop = new AbortController();
    const training: Training = { stop, ended: Promise.resolve() };
    training.ended = trainInChild(run, {
      signal: stop.signal,
      onProgress: ({ rate, left }) => {
        training.progress = { rate, left };
      },
      onNote: (sentence) => this.notes.get(name)?.push(sentence),
    })
      .then(
        () => {},
        (error) => {
          // One that is stopped before it has begun ends by the signal, as it should.
          if (!stop.signal.aborted) this.ends.set(name, error instanceof Error ? error.message : String(error));
        },
      )
      .finally(() => this.running.delete(name));
    this.running.set(name, training);
  }

  /** Asks a training to end with a checkpoint; it takes a moment. */
  stop(name: string): void {
    const training = this.running.get(name);
    if (training === undefined)
      throw new Refusal(
        409,
        `“${name}” is not being trained by this studio.`,
        'A training that was started elsewhere is stopped where it was started.',
      );
    training.stop.abort();
  }

  isTraining(name: string): boolean {
    return this.running.has(name);
  }

  /** What the run's files don't say: that it is about to start or to end, or that it could not even start. */
  underway(name: string): { state: RunState; sentence?: string } | undefined {
    const training = this.running.get(name);
    if (training?.stop.signal.aborted) return { state: 'running', sentence: 'It is being stopped.' };
    if (training)
      return { state: 'running', sentence: training.progress === undefined ? 'It is starting.' : undefined };
    const end = this.ends.get(name);
    return end === undefined ? undefined : { state: 'failed', sentence: end };
  }

  /** How fast a training is and how many seconds are left, and what it had to say. */
  facts(name: string): { rate?: number; left?: number; notes: readonly string[] } {
    return { ...this.running.get(name)?.progress, notes: this.notes.get(name) ?? [] };
  }

  forget(name: string): void {
    this.ends.delete(name);
    this.notes.delete(name);
  }

  get count(): number {
    return this.running.size;
  }

  /** Stops all trainings, each with a checkpoint. */
  async close(): Promise<void> {
    const all = [...this.running.values()];
    for (const { stop } of all) stop.abort();
    await Promise.all(all.map(({ ended }) => ended));
  }
}
