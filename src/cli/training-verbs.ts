/** The verbs that train. Like all verbs they load their work when they are called, so that help stays quick. */
import type { Command } from 'commander';
import {
  boolean,
  choice,
  dataOptions,
  integer,
  labelOptions,
  list,
  number,
  required,
  text,
  trainOptions,
} from '../options/index.ts';
import { type Flags, jobsFlag, jsonFlag, seedFlag, settingsFlag, withFlags } from './flags.ts';

const demoFlags = {
  minutes: number('how long to train', { above: 0, default: 2, schedulable: false }),
  seed: seedFlag('decides every random draw', 1),
  out: text('the folder of runs that it becomes one of', { title: 'folder', default: 'runs' }),
  ...jsonFlag,
};
export type DemoFlags = Flags<typeof demoFlags>;

const { method: _, ...asked } = trainOptions;
const trainFlags = {
  ...asked,
  config: text('settings from a YAML or JSON file, each of these flags and options by name; flags go before them', {
    title: 'file',
  }),
  set: settingsFlag('any option of the method or the training, as in beta=linear:0:4:10000', 'key=value'),
  seeds: text('several seeds in place of one, such as 1..5 or 1,3: a run for each', { title: 'numbers' }),
  from: text('repeat the run that this file describes', { title: 'run.json' }),
  ...jsonFlag,
};
/** `--resume` stands alone when `--out` names the run. */
export type TrainFlags = Flags<typeof trainFlags> & { resume?: boolean | string };

const adviseFlags = {
  data: required(asked.data),
  ...dataOptions,
  ...labelOptions,
  preset: trainOptions.preset,
  betas: list('the values that are tried', { of: 'number', min: 0, default: [0.25, 1, 4, 16, 64], least: 2 }),
  steps: integer('steps of each training', { min: 1, default: 400 }),
  seeds: text('over which seeds, such as 1..3 or 1,3', { title: 'numbers', default: '1' }),
  set: settingsFlag('any other option of the method or the training, as in latents=6', 'key=value'),
  out: text('where the trainings are kept (otherwise sweeps/ and the name of the method)', { title: 'folder' }),
  jobs: jobsFlag('trainings, each with one worker,'),
  ...jsonFlag,
};
export type AdviseFlags = Flags<typeof adviseFlags>;

const executor = text('who trains: redis://HOST:PORT, or slurm (otherwise this machine)', { title: 'address' });
const sweepFlags = {
  out: text('where it lives (otherwise sweeps/ and the name of the file)', { title: 'folder' }),
  jobs: jobsFlag('runs, each with one worker,'),
  executor,
  watch: boolean('with slurm: stay until the sweep is done, and put workers in again that were lost'),
  optuna: text('train what Optuna’s samplers ask for in this journal, and tell them what came out', {
    title: 'journal',
  }),
  retry: boolean('try again what has failed'),
  dry: boolean('only say what it would do, how long that takes and how much disk'),
  ...jsonFlag,
};
export type SweepFlags = Flags<typeof sweepFlags>;

const reportFlags = {
  out: text('the page to write (otherwise report.html in the sweep’s folder)', { title: 'file' }),
  optuna: text('also all trials as a journal that Optuna and its dashboard open', { title: 'journal' }),
  udr: boolean('also how far the models of each setting’s seeds agree, for choosing without factors'),
  ...jsonFlag,
};
export type ReportFlags = Flags<typeof reportFlags>;

const workerFlags = {
  jobs: jobsFlag('runs, each with one worker,'),
  idle: integer('leave after so long without work (otherwise when the sweep is done)', {
    min: 1,
    max: 1_000_000,
    title: 'seconds',
  }),
  ...jsonFlag,
};
export type WorkerFlags = Flags<typeof workerFlags>;

const kubernetesFlags = {
  image: text('the image of a container in which untangle is installed'),
  workers: integer('pods at once, each with a worker', { min: 1, max: 100_000, default: 10 }),
  cores: integer('cores of a pod, each with a trial', { min: 1, max: 256, default: 1 }),
  memory: text('memory of a pod', { default: '2Gi' }),
  claim: text('the persistent volume claim of the sweep’s folder, which is mounted at /sweeps', { title: 'name' }),
  secret: text('the secret with the object store’s keys, named as in the environment', { title: 'name' }),
};
export type KubernetesFlags = Flags<typeof kubernetesFlags>;

const reproduceFlags = {
  dataDir: dataOptions.dataDir,
  list: boolean('the studies that there are'),
  budget: choice('minutes, a night on two cores, or the paper’s whole protocol', ['quick', 'standard', 'paper'], {
    default: 'quick',
  }),
  jobs: integer('runs at once (otherwise one for each core)', { min: 1, max: 64 }),
  executor,
  arms: list('only these rows', { of: 'text' }),
  seeds: text('other seeds than the budget’s, such as 1..5 or 1,3; five or more settle claims', { title: 'numbers' }),
  set: settingsFlag('settings over the study’s', 'key=value'),
  runs: text('where runs are kept, and shared by studies', { title: 'folder', default: 'runs/studies' }),
  out: text('where the report goes (otherwise beside the runs)', { title: 'folder' }),
  results: text('where the record of rows and claims goes, as STUDY.json', { title: 'folder', default: 'results' }),
  ...jsonFlag,
};
export type ReproduceFlags = Flags<typeof reproduceFlags>;

export function defineTraining(program: Command): void {
  withFlags(program.command('demo').description('train a VAE on MNIST, measure it and draw what it learned'), demoFlags)
    .addHelpText('after', '\nExample:\n  untangle demo --minutes 1')
    .action(async (flags) => (await import('./demo.ts')).demo(flags));

  withFlags(
    program.command('train [method]').description('train a method on data; Ctrl-C stops, --resume goes on'),
    trainFlags,
  )
    .option('--resume [run]', 'go on with a run from its last checkpoint')
    .addHelpText(
      'after',
      `
Examples:
  untangle train beta-vae --data dsprites-small --set beta=4 --steps 20000
  untangle train dip-vae-ii --data ./photos --size 64 --crop --epochs 20 --out runs/photos
  untangle train contrastive-correct --data scans --where "label = ill" --background-where "label = well"
  untangle train beta-vae --data shapes --seeds 1..5
  untangle train --resume runs/photos`,
    )
    .action(async (method, flags) => (await import('./train.ts')).train(method, flags));

  withFlags(
    program
      .command('advise <method>')
      .description(
        'which β: a few short trainings over it, what each dimension then carries, and which value they speak for',
      ),
    adviseFlags,
  )
    .addHelpText(
      'after',
      '\nExamples:\n  untangle advise beta-vae --data shapes\n  untangle advise beta-tcvae --data ./photos --size 64 --betas 1,2,4,8 --steps 1000 --seeds 1..3',
    )
    .action(async (method, flags) => (await import('./advise.ts')).adviseBeta(method, flags));

  const sweep = program.command('sweep').description('many runs: settings and seeds, compared');
  withFlags(
    sweep
      .command('run <file>', { isDefault: true })
      .description('start the sweep that a YAML file describes, or go on with it'),
    sweepFlags,
  )
    .addHelpText(
      'after',
      '\nCtrl-C leaves; the same command goes on.\n\nExamples:\n  untangle sweep beta.yaml --out sweeps/beta\n  untangle sweep beta.yaml --executor "slurm --partition=long --time=4:00:00" --jobs 40',
    )
    .action(async (file, flags) => (await import('./sweep.ts')).sweep(file, flags));
  withFlags(
    sweep
      .command('report <place>')
      .description('what came out: the table, which setting matters, the best trial’s command, and a page'),
    reportFlags,
  )
    .addHelpText('after', '\nExample:\n  untangle sweep report sweeps/beta')
    .action(async (place, flags) => (await import('./sweep.ts')).reportSweep(place, flags));
  withFlags(
    sweep
      .command('kubernetes <place>')
      .description('a Job for Kubernetes whose pods are workers of a sweep, as YAML for “kubectl apply -f -”'),
    kubernetesFlags,
  )
    .addHelpText(
      'after',
      '\nExample:\n  untangle sweep kubernetes s3://bucket/sweeps/beta --image registry/untangle --secret keys --workers 40',
    )
    .action(async (place, flags) => (await import('./sweep.ts')).sweepOnKubernetes(place, flags));
  withFlags(
    program
      .command('worker <place>')
      .description(
        'help with a sweep, from any machine that reaches its folder or its queue, until it is done or Ctrl-C',
      ),
    workerFlags,
  )
    .addHelpText(
      'after',
      '\nExamples:\n  untangle worker /shared/sweeps/beta\n  untangle worker redis://queue.example:6379',
    )
    .action(async (place, flags) => (await import('./sweep.ts')).worker(place, flags));

  withFlags(
    program
      .command('reproduce [study]')
      .description('run a paper’s table or figure again, ours beside theirs; goes on from what is there'),
    reproduceFlags,
  )
    .addHelpText(
      'after',
      '\nExamples:\n  untangle reproduce --list\n  untangle reproduce contrastive-table-1 --budget standard --seeds 1..5',
    )
    .action(async (study, flags) => (await import('./reproduce.ts')).reproduce(study, flags));

  withFlags(
    program
      .command('methods [name]')
      .description('the methods, with one line each; or one with its options and presets'),
    jsonFlag,
  )
    .addHelpText('after', '\nExample:\n  untangle methods dip-vae-ii')
    .action(async (name, flags) => (await import('./methods.ts')).listMethods(name, flags));
}
