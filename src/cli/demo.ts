/**
 * `untangle demo`, the first thing that a newcomer runs: trains DIP-VAE-II on MNIST for a set time, measures what it learned on
 * the test digits, and draws it. The same as `train`, `evaluate` and `picture` one after the other.
 */
import { join } from 'node:path';
import { kinds, subjectOf } from '../pictures/index.ts';
import type { Run } from '../runs/index.ts';
import { prepareRun } from '../training/index.ts';
import { evaluate, TrainedModel } from '../use/index.ts';
import { positiveNumber, wholeNumber } from './numbers.ts';
import { write } from './picture.ts';
import { print, printJson, say, seconds } from './terminal.ts';
import { follow, termsText } from './train.ts';

interface Options {
  minutes: string;
  seed: string;
  out: string;
  json?: boolean;
}

export async function demo(options: Options): Promise<void> {
  const minutes = positiveNumber('--minutes', options.minutes);
  const seed = wholeNumber('--seed', options.seed);
  const { run } = await prepareRun({
    method: 'dip-vae-ii',
    data: 'mnist',
    preset: 'mnist',
    set: ['steps=100000'],
    seed,
    root: options.out,
    command: 'untangle train dip-vae-ii --data mnist --preset mnist --set steps=100000',
  });
  const { workers } = run.file.training;
  say(
    `Training DIP-VAE-II on MNIST for ${seconds(minutes * 60_000)}, ${workers} worker(s), seed ${seed}, in ${run.folder}.`,
  );
  const outcome = await follow(run, { milliseconds: minutes * 60_000 });
  say('Measuring on test digits, and drawing.');
  const { scores } = await evaluate(run, { names: ['linear-probe', 'kl', 'reconstruction'], items: 5000 });
  const files = await draw(run);
  if (options.json) {
    printJson({ run: run.name, folder: run.folder, seed, ...outcome, ...scores, files });
    return;
  }
  print(`${outcome.step} steps: ${termsText(outcome.terms)}`);
  for (const one of scores.results) print(`${one.title}: ${one.score.toFixed(3)}`);
  print(`Pictures:\n${files.map((file) => `  ${file}`).join('\n')}`);
  say(`Train on:  untangle train --resume ${run.folder}\nMove the factors:  untangle export ${run.folder} page`);
}

/** Traversals, reconstructions, what each dimension carries, and the course of the terms. */
async function draw(run: Run): Promise<string[]> {
  const model = await TrainedModel.open(run.folder);
  try {
    const subject = subjectOf(run, model);
    const files: string[] = [];
    for (const kind of ['traversal', 'reconstruction', 'kl', 'curves'])
      files.push(
        ...(await write(await kinds[kind].draw(subject, { seed: 1 }), join(run.folder, 'pictures', kind), 'png')),
      );
    return files;
  } finally {
    await model.close();
  }
}
