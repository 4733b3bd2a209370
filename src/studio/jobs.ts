/** Measuring, drawing and previews: the command line's own verbs, in processes of their own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defined } from '../defined.ts';
import { UntangleError } from '../errors.ts';
import { builtFile } from '../orders.ts';
import { Refusal } from './answers.ts';

export type JobKind = 'evaluate' | 'pictures';

/** How a job stands; a job that is done is seen by what it wrote. */
export interface Job {
  state: 'running' | 'failed';
  sentence?: string;
}

export class Jobs {
  private readonly jobs = new Map<string, Job>();
  private readonly children = new Set<ChildProcess>();

  /** Measures a run. */
  evaluate(name: string, folder: string): void {
    this.start(name, 'evaluate', async () => {
      await this.untangle(['evaluate', folder, '--json']);
    });
  }

  /** Draws a run, one kind after the other; one that fails leaves the others. */
  draw(name: string, folder: string, kinds: readonly string[]): void {
    this.start(name, 'pictures', async () => {
      const failures: string[] = [];
      for (const kind of kinds)
        await this.untangle(['picture', folder, kind, '--json']).catch((error) => failures.push(error.message));
      if (failures.length > 0) throw new UntangleError(failures.join(' '));
    });
  }

  /** A contact sheet of a registered dataset, as PNG. */
  async preview(dataset: string): Promise<Uint8Array<ArrayBuffer>> {
    const folder = await mkdtemp(join(tmpdir(), 'untangle-preview-'));
    try {
      const file = join(folder, 'sheet.png');
      await this.untangle(['data', 'preview', dataset, '--items', '24', '--out', file, '--json']);
      return new Uint8Array(await readFile(file));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
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
    for (const child of this.children) child.kill('SIGTERM');
  }

  private start(name: string, kind: JobKind, work: () => Promise<void>): void {
    const key = `${kind} ${name}`;
    if (this.jobs.get(key)?.state === 'running')
      throw new Refusal(409, kind === 'evaluate' ? `“${name}” is being measured.` : `“${name}” is being drawn.`);
    this.jobs.set(key, { state: 'running' });
    work().then(
      () => this.jobs.delete(key),
      (error) => this.jobs.set(key, { state: 'failed', sentence: error.message }),
    );
  }

  /** Runs a verb; fails with the sentence that it ends with. */
  private untangle(words: string[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [fileURLToPath(builtFile('cli/main.js')), ...words], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      this.children.add(child);
      let said = '';
      child.stderr.on('data', (chunk: Buffer) => {
        said = (said + chunk.toString('utf8')).slice(-10_000);
      });
      child.on('error', reject);
      child.on('close', (code) => {
        this.children.delete(child);
        // Progress comes as JSON lines, sentences as they are.
        const sentences = said.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
        if (code === 0) resolve();
        else reject(new UntangleError(sentences.join(' ') || `“untangle ${words[0]}” ended with code ${code}.`));
      });
    });
  }
}
