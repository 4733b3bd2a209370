import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runHere } from '../here.ts';
import { openSweep, type Sweep, storeAt } from '../sweep.ts';
import { finalWeights, tinyPlan } from '../testing/pretend.ts';
import { hasSlurm, type Slurm, startSlurm } from '../testing/slurm.ts';
import { releaseHeld, submitToSlurm } from './slurm.ts';

// The scheduler is Debian's, as root; a machine without it can't try this.
describe.skipIf(!hasSlurm() && !process.env.CI)('a sweep on Slurm', () => {
  let root: string;
  let slurm: Slurm;
  const before = process.env.SLURM_CONF;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'untangle-slurm-'));
    slurm = await startSlurm(root, { mostInArray: 1 });
    process.env.SLURM_CONF = slurm.env.SLURM_CONF;
  }, 30_000);
  afterAll(async () => {
    await slurm.end();
    if (before === undefined) delete process.env.SLURM_CONF;
    else process.env.SLURM_CONF = before;
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  });

  const open = async (name: string, ...plan: Parameters<typeof tinyPlan>) =>
    openSweep(storeAt(join(root, name)), await tinyPlan(...plan));
  const queue = async () => (await slurm.ask('squeue', '--noheader', '--array', '--format=%i|%T|%r')).trim();
  const until = async (isSo: () => Promise<boolean>) => {
    for (let attempt = 0; attempt < 300 && !(await isSo()); attempt++) await sleep(200);
  };
  const isDone = async ({ index }: Sweep) => {
    await index.refresh();
    return index.counts().open === 0;
  };

  test('is carried out by arrays as large as Slurm allows to the weights of one here', async () => {
    const sweep = await open('arrays', 2);
    const submission = await submitToSlurm('slurm', sweep);
    expect(submission).toMatchObject({ submitted: 2, present: 0, released: 0 });
    expect(submission.arrays).toHaveLength(2);
    expect(await submitToSlurm('slurm', sweep)).toMatchObject({ submitted: 0, present: 2 });
    expect(await runHere(sweep, { executor: 'slurm' })).toBe(true);
    const calm = await open('calm', 2);
    await runHere(calm, { jobs: 2 });
    expect(await finalWeights(sweep)).toEqual(await finalWeights(calm));
    expect((await finalWeights(sweep)).size).toBe(2);
  }, 120_000);

  test('comes back after a warning that its time is over, from its checkpoint', async () => {
    const sweep = await open('warned', 1, 60);
    const { arrays } = await submitToSlurm('slurm --comment="to be warned"', sweep);
    const log = join(root, 'warned', 'slurm', `${arrays[0]}_0.log`);
    const trials = join(root, 'warned', 'trials');
    await until(async () => {
      const files = await readdir(trials, { recursive: true }).catch(() => []);
      return files.some((file) => file.endsWith('state.json'));
    });
    await slurm.ask('scancel', '--batch', '--signal=USR1', `${arrays[0]}_0`);
    await until(async () => (await queue()).includes('PENDING'));
    expect(await readFile(log, 'utf8')).toContain('Stopping with checkpoints.');
    await until(() => isDone(sweep));
    const calm = await open('unwarned', 1, 60);
    await runHere(calm, { jobs: 1 });
    expect(await finalWeights(sweep)).toEqual(await finalWeights(calm));
    const [trial] = await readdir(trials);
    expect((await readdir(join(trials, trial))).filter((file) => file.startsWith('lease'))).toHaveLength(2);
  }, 120_000);

  test('lets go the tasks that Slurm holds after a failure of their node, and leaves alone what a person holds', async () => {
    const sweep = await open('held', 2);
    await slurm.refuse(true);
    const { arrays } = await submitToSlurm('slurm', sweep);
    await until(async () => (await queue()).includes('launch failed requeued held'));
    await slurm.refuse(false);
    const [other] = (await queue()).split('\n').filter((line) => !line.includes('launch failed'));
    if (other !== undefined) await slurm.ask('scontrol', 'hold', other.split('|')[0]);
    const held = (await queue()).split('\n').filter((line) => line.includes('launch failed')).length;
    expect(arrays).toHaveLength(2);
    expect(await releaseHeld(sweep)).toBe(held);
    await until(() => isDone(sweep));
    expect(sweep.index.counts()).toEqual({ open: 0, results: 2 });
  }, 120_000);

  test('says what sbatch says', async () => {
    const sweep = await open('wrong', 1);
    await expect(submitToSlurm('slurm --partition=nowhere', sweep)).rejects.toThrow(
      'Slurm’s “sbatch” says: sbatch: error: Batch job submission failed: Invalid partition name specified.',
    );
  });
});
