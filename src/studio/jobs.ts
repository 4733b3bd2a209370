/** Measuring, drawing and previews, each in a process of its own. */
import { defined } from '../defined.ts';
import { UntangleError } from '../errors.ts';
import { type Hand, startProcess } from '../orders.ts';
import { Refusal } from './answers.ts';

export type JobKind = 'evaluate' | 'pictures';

/** How a job stands; a job that is done is seen by what it wrote. */
export interface Job {
  state: 'running' | 'failed';
  sentence?: string;
}

export interface JobWork {
  order:
    | { kind: 'evaluate'; folder: string }
    | { kind: 'picture'; folder: string; picture: string }
    | { kind: 'preview'; dataset: string };
  news: never;
  /** The picture of a dataset; what is done to a run is found in it. */
  result: Uint8Array | undefined;
}

export class Jobs {
  private readonly jobs = new Map<string, Job>();
  private readonly hands = new Set<Hand<JobWork>>();

  /** Measures a run. */
  evaluate(name: string, folder: string): void {
    this.start(name, 'evaluate', async () => {
      await this.order({ kind: 'evaluate', folder });
    });
  }

  /** Draws a run, one kind after the other; one that fails leaves the others. */
  draw(name: string, folder: string, kinds: readonly string[]): void {
    this.start(name, 'pictures', async () => {
      const failures: string[] = [];
      for (const picture of kinds)
        await this.order({ kind: 'picture', folder, picture }).catch((error) => failures.push(sentenceOf(error)));
      if (failures.length > 0) throw new UntangleError(failures.join(' '));
    });
  }

  /** A contact sheet of a registered dataset, as PNG. */
  async preview(dataset: string): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array((await this.order({ kind: 'preview', dataset })) ?? []);
  }

  /** What is being done to a run, or failed. */
  of(name: string): Partial<Record<JobKind, Job>> {
    const [evaluate, pictures] = [this.jobs.get(`evaluate ${name}`), this.jobs.get(`pictures ${name}`)];
    return defined({ evaluate, pictures });
  }

  isBusy(name: string): boolean {
    return Object.values(this.of(name)).some(({ state }) => state === 'running');
  }

  forget(name: string): void {
    for (const kind of ['evaluate', 'pictures']) this.jobs.delete(`${kind} ${name}`);
  }

  close(): void {
    for (const hand of this.hands) hand.process.kill('SIGTERM');
  }

  private start(name: string, kind: JobKind, work: () => Promise<void>): void {
    const key = `${kind} ${name}`;
    if (this.jobs.get(key)?.state === 'running')
      throw new Refusal(409, kind === 'evaluate' ? `“${name}” is being measured.` : `“${name}” is being drawn.`);
    this.jobs.set(key, { state: 'running' });
    work().then(
      () => this.jobs.delete(key),
      (error) => this.jobs.set(key, { state: 'failed', sentence: sentenceOf(error) }),
    );
  }

  private async order(job: JobWork['order']): Promise<JobWork['result']> {
    const hand = startProcess<JobWork>(
      'studio/job-process.js',
      ({ how }) => new UntangleError(`Its process ended ${how}.`),
    );
    this.hands.add(hand);
    try {
      return await hand.order(job);
    } finally {
      this.hands.delete(hand);
      if (hand.process.connected) hand.process.disconnect();
    }
  }
}

const sentenceOf = ({ message, hint }: UntangleError) => (hint === undefined ? message : `${message} ${hint}`);
