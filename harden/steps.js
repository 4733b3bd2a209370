/** A toy training with the project's own run folder: a claim, a log, checkpoints and a model's files. Tried under faults. */
import {
  claimRun,
  decidesHash,
  lengthenRun,
  listAs,
  openLog,
  openRun,
  recoverCheckpoints,
  writeCheckpoint,
} from '../dist/runs/index.js';

const [folder, last] = [process.argv[2], Number(process.argv[3] ?? 9)];
let run = await openRun(folder);
const claim = await claimRun(folder);
let step = 0;
try {
  if (run.file.training.steps < last) run = await lengthenRun(run, last);
  const found = await recoverCheckpoints(folder, claim.before);
  const data = Float32Array.of(Number(found?.weights.get('x')?.data[0] ?? 1));
  step = found?.state.step ?? 0;
  await listAs(folder, 'log.jsonl', undefined, claim.before);
  const log = openLog(`${folder}/log.jsonl`, step);
  while (step < last) {
    step++;
    data[0] += step - 0.1 * data[0];
    log.append({ step, epoch: 0, seconds: 0, terms: { x: data[0] } });
    if (step % 3 !== 0) continue;
    log.sync();
    const state = { step, epoch: 0, seconds: 0, schedules: {}, counts: {}, run: await decidesHash(run.file) };
    const weights = new Map([['x', { shape: [1], data }]]);
    await writeCheckpoint(folder, { state, weights, optimiser: new Map() }, claim.before);
    await listAs(folder, 'log.jsonl', log.listed(), claim.before);
  }
  log.close();
  await claim.end('done', step);
  console.log(data[0]);
} catch (error) {
  await claim.end('failed', step, error.message).catch(() => {});
  console.error(`${error.code ?? ''} ${error.message}`);
  process.exitCode = 1;
}
