/**
 * The training of a run: one function from the first step, or from the last checkpoint, to the end. Whatever stops it leaves a
 * checkpoint, from which it goes on bit for bit.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { UntangleError } from '../errors.ts';
import { methodOf } from '../plugins/index.ts';
import {
  type Checkpoint,
  checkLonger,
  claimRun,
  decidesHash,
  type LogLine,
  lengthenRun,
  listAs,
  openLog,
  type Run,
  recoverCheckpoints,
  writeCheckpoint,
} from '../runs/index.ts';
import { NonFiniteError } from '../runtime/index.ts';
import { nodeBackend, openTeam } from '../runtime/node/index.ts';
import { openMlflow } from './mlflow.ts';
import { saveModel } from './model-files.ts';
import { openRunData } from './open-data.ts';
import { klOf, readSettings, Session, type TrainingValues } from './session/index.ts';
import { openEvents } from './tensorboard.ts';
import {
  addLoss,
  endEpoch,
  look,
  type PatienceState,
  type PlateauState,
  patienceStart,
  plateauStart,
} from './watch.ts';

export interface Progress {
  step: number;
  steps: number;
  epoch: number;
  /** Steps a second, over the last few seconds. */
  rate: number;
  /** Seconds of training so far, and how many are left at this rate. */
  seconds: number;
  left: number;
  terms: Record<string, number>;
}

export interface TrainHooks {
  /** Ends the training after the running step, with a checkpoint; a reason that is a sentence is told. */
  signal?: AbortSignal;
  /** Makes the run longer, to so many steps; it stays as it was if it can't be trained now. */
  steps?: number;
  /** Ends it after this step, with a checkpoint, from which it goes on as if it had not stopped. */
  until?: number;
  onProgress?(progress: Progress): void;
  /** Something that a person should know, in a sentence. */
  onNote?(sentence: string): void;
  /** Writes TensorBoard event files into the run's folder. */
  tensorboard?: boolean;
  /** Logs to this MLflow server. */
  mlflow?: string;
}

export interface Outcome {
  state: 'done' | 'stopped';
  step: number;
  terms: Record<string, number>;
  /** Why it ended before its last step. */
  message?: string;
}

/**
 * Trains a run, from its checkpoint if it has one.
 *
 * @example await trainRun(await createRun('runs', settings), { onProgress: ({ step, terms }) => console.log(step, terms.loss) })
 */
export async function trainRun(meant: Run, hooks: TrainHooks = {}): Promise<Outcome> {
  if (hooks.steps !== undefined) checkLonger(meant, hooks.steps);
  const claim = await claimRun(meant.folder);
  let session: Session | undefined;
  let step = 0;
  try {
    // Nothing is changed before the run is ours.
    const run = hooks.steps === undefined ? meant : await lengthenRun(meant, hooks.steps);
    const method = methodOf(run.file);
    const { options, training } = readSettings(method, storedOf(run.file.options), storedOf(run.file.training));
    const { seed, steps, workers, threads } = run.file.training;
    const data = await openRunData(run.file);
    session = await Session.open(method, data, options, {
      training,
      seed,
      workers,
      threads,
      backend: await nodeBackend(),
      team: openTeam,
    });
    const decides = await decidesHash(run.file);
    const found = await recoverCheckpoints(run.folder, claim.before);
    if (found?.state.run !== undefined && found.state.run !== decides) throw otherRun(run);
    if (found?.warning) hooks.onNote?.(found.warning);
    if (found) await session.load(stateOf(found), found.state.step);
    const remembered = rememberedSchema.parse(found?.state.schedules ?? {});
    const begun = { at: performance.now(), seconds: found?.state.seconds ?? 0 };
    const secondsNow = () => begun.seconds + (performance.now() - begun.at) / 1000;
    const perEpoch = data.context.items / training.batchSize;
    // The log is cut to the checkpoint's step, and listed again with the next one.
    await listAs(run.folder, 'log.jsonl', undefined, claim.before);
    const log = openLog(join(run.folder, 'log.jsonl'), session.iteration);
    const outside = openLoggers(run, hooks, remembered, session.iteration);
    let { plateau, patience } = remembered;
    session.rateFactor = plateau.factor;

    const saveState = async () => {
      log.sync();
      const schedules = { plateau: { ...plateau }, patience: { ...patience }, ...outside.remember() };
      const checkpoint = await checkpointOf(session!, perEpoch, secondsNow(), schedules);
      checkpoint.state.run = decides;
      await writeCheckpoint(run.folder, checkpoint, claim.before);
      await listAs(run.folder, 'log.jsonl', log.listed(), claim.before);
    };
    const save = async () => {
      await saveState();
      await saveModel(run, method, data, session!, claim.before);
    };
    const pace = paceOf(session.iteration);
    const saves = saver(training, session.iteration);
    let terms: Record<string, number> = {};
    let ending: { state: 'done' | 'stopped'; message?: string } = { state: 'done' };

    while (session.iteration < steps) {
      if (hooks.until !== undefined && session.iteration >= hooks.until) {
        ending = { state: 'stopped', message: `It waits at step ${session.iteration} of ${steps}.` };
        break;
      }
      if (hooks.signal?.aborted) {
        ending = { state: 'stopped', message: whyStopped(hooks.signal) };
        break;
      }
      try {
        terms = await session.step();
      } catch (error) {
        if (!(error instanceof NonFiniteError)) throw error;
        await saveState();
        throw notFinite(error, run, session.iteration);
      }
      step = session.iteration;
      plateau = addLoss(plateau, terms.loss);
      if (training.plateauFactor < 1 && Math.floor(step / perEpoch) > Math.floor((step - 1) / perEpoch)) {
        plateau = endEpoch(plateau, training);
        session.rateFactor = plateau.factor;
      }
      const isLook = training.validateEvery > 0 && (step % training.validateEvery === 0 || step === steps);
      const validation = isLook ? await validationOf(session, data) : undefined;
      if (step === 1 || step % training.logEvery === 0 || isLook || step === steps) {
        const line: LogLine = {
          step,
          epoch: step / perEpoch,
          seconds: secondsNow(),
          terms,
          weights: session.weights(),
        };
        if (validation) line.validation = validation;
        claim.before({ kind: 'write', path: log.path });
        log.append(line);
        outside.log(line);
      }
      hooks.onProgress?.({ step, steps, epoch: step / perEpoch, seconds: secondsNow(), ...pace(step, steps), terms });
      await claim.beat(step);
      if (validation) {
        patience = look(patience, validation.loss, step);
        if (training.patience > 0 && patience.waited >= training.patience) {
          const message = `The held-out loss has not fallen for ${patience.waited} looks; it was best at step ${patience.at}.`;
          ending = { state: 'done', message };
          break;
        }
      }
      if (saves(step) && step < steps) await save();
    }
    await save();
    log.close();
    await outside.close(ending.state === 'done' ? 'FINISHED' : 'KILLED');
    await claim.end(ending.state, session.iteration, ending.message);
    return { ...ending, step: session.iteration, terms };
  } catch (error) {
    await claim.end('failed', step, error instanceof Error ? error.message : String(error)).catch(() => {});
    throw error;
  } finally {
    await session?.close();
  }
}

const plateauSchema = z.object({
  factor: z.number(),
  best: z.number().nullable(),
  bad: z.number(),
  cooldown: z.number(),
  sum: z.number(),
  count: z.number(),
}) satisfies z.ZodType<PlateauState>;

const rememberedSchema = z.object({
  plateau: plateauSchema.default(plateauStart),
  patience: z
    .object({ best: z.number().nullable(), at: z.number(), waited: z.number() })
    .default(patienceStart) satisfies z.ZodType<PatienceState>,
  mlflow: z.string().optional(),
});

async function validationOf(session: Session, data: Parameters<typeof klOf>[0]) {
  const terms = await session.validationTerms();
  if (terms === undefined) return undefined;
  const kl = Object.entries(await klOf(data, session));
  return {
    ...terms,
    ...Object.fromEntries(kl.flatMap(([block, all]) => all.map((one, i) => [`kl ${block}[${i}]`, one]))),
  };
}

function stateOf({ state, weights, optimiser }: Checkpoint) {
  const floats = (tensors: Checkpoint['weights']) =>
    new Map(
      [...tensors].map(([name, { data }]) => {
        if (!(data instanceof Float32Array)) throw new UntangleError(`The saved “${name}” is not of 32-bit floats.`);
        return [name, data];
      }),
    );
  return { parameters: floats(weights), slots: floats(optimiser), counts: state.counts };
}

async function checkpointOf(
  session: Session,
  perEpoch: number,
  seconds: number,
  schedules: Checkpoint['state']['schedules'],
): Promise<Checkpoint> {
  const { parameters, slots, counts } = await session.state();
  const { shapes } = session.assembled;
  const step = session.iteration;
  return {
    state: { step, epoch: step / perEpoch, seconds, schedules, counts },
    weights: new Map([...parameters].map(([name, data]) => [name, { shape: shapes.get(name)!, data }])),
    optimiser: new Map([...slots].map(([name, data]) => [name, { shape: [data.length], data }])),
  };
}

/** What whoever stopped it said of the reason. */
function whyStopped({ reason }: AbortSignal): string {
  return typeof reason === 'string' ? reason : 'It was stopped by hand.';
}

/** Steps a second over the last seconds, and the time that is left. */
function paceOf(start: number): (step: number, steps: number) => { rate: number; left: number } {
  const marks = [{ step: start, at: performance.now() }];
  return (step, steps) => {
    const now = performance.now();
    if (now - marks[marks.length - 1].at > 500) marks.push({ step, at: now });
    while (marks.length > 2 && now - marks[1].at > 10_000) marks.shift();
    const rate = now > marks[0].at ? (1000 * (step - marks[0].step)) / (now - marks[0].at) : 0;
    return { rate, left: rate > 0 ? (steps - step) / rate : Number.POSITIVE_INFINITY };
  };
}

/** Tells whether a checkpoint is due, by steps or by time. */
function saver({ checkpointEvery, checkpointMinutes }: TrainingValues, start: number): (step: number) => boolean {
  let [lastStep, lastTime] = [start, performance.now()];
  return (step) => {
    const bySteps = checkpointEvery > 0 && step - lastStep >= checkpointEvery;
    const byTime = performance.now() - lastTime >= checkpointMinutes * 60_000;
    if (!bySteps && !byTime) return false;
    [lastStep, lastTime] = [step, performance.now()];
    return true;
  };
}

function openLoggers(run: Run, hooks: TrainHooks, remembered: z.infer<typeof rememberedSchema>, step: number) {
  const events = hooks.tensorboard
    ? openEvents(join(run.folder, 'tensorboard'), step > 0 ? step : undefined)
    : undefined;
  const mlflow =
    hooks.mlflow === undefined
      ? undefined
      : openMlflow({
          url: hooks.mlflow,
          experiment: 'untangle',
          runName: run.name,
          params: { method: run.file.method, ...run.file.options, ...run.file.training },
          runId: remembered.mlflow,
          warn: (sentence) => hooks.onNote?.(sentence),
        });
  return {
    log({ step: at, terms, validation = {} }: LogLine) {
      const values = {
        ...prefixed('train', terms),
        ...prefixed('held-out', validation),
      };
      events?.scalars(at, values);
      mlflow?.log(at, values);
    },
    remember: (): Record<string, string> => (mlflow?.runId === undefined ? {} : { mlflow: mlflow.runId }),
    async close(status: 'FINISHED' | 'KILLED') {
      events?.close();
      await mlflow?.close(status);
    },
  };
}

const prefixed = (group: string, values: Record<string, number>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${group}/${name}`, value]));

function otherRun(run: Run): UntangleError {
  return new UntangleError(`The checkpoint of “${run.name}” is of other settings than “run.json” now says.`, {
    hint: 'Bring “run.json” back. To train with other settings, edit a copy of it elsewhere and give that to “untangle train --from”.',
  });
}

function notFinite(error: NonFiniteError, run: Run, step: number): UntangleError {
  const bad = Object.entries(error.terms).filter(([, value]) => !Number.isFinite(value));
  const terms = bad.map(([name, value]) => `${name} became ${value}`).join(', ');
  return new UntangleError(
    `At step ${step + 1} ${terms}. The last good state, of step ${step}, is kept in “${join(run.folder, 'checkpoint')}”.`,
    { hint: 'Train again with a lower learning rate or with clipNorm.', cause: error },
  );
}

/** Options as a run file holds them; the schema of each method checks them again when they are read. */
function storedOf(values: Record<string, unknown>): Parameters<typeof readSettings>[1] {
  return Object.fromEntries(
    Object.entries(values).filter(
      (entry): entry is [string, number | string | boolean | (number | string)[]] =>
        ['number', 'string', 'boolean'].includes(typeof entry[1]) || Array.isArray(entry[1]),
    ),
  );
}
