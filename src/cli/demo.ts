/**
 * `untangle demo`, the first thing that a newcomer runs: trains DIP-VAE-II on MNIST for a set time, measures what it learned on
 * the test digits, and draws it. The same as `train`, `evaluate` and `picture` one after the other. Where MNIST is not installed
 * it takes pictures that are generated.
 */

import { builtIn, isHere } from '../data/index.ts';
import { duration } from '../duration.ts';
import { drawRun } from '../pictures/index.ts';
import { callOf } from '../shell.ts';
import { prepareRun } from '../training/index.ts';
import { evaluate } from '../use/index.ts';
import { print, printJson, say } from './terminal.ts';
import { follow, termsText } from './train.ts';
import type { DemoFlags } from './training-verbs.ts';

const onDigits = {
  ...{ title: 'MNIST', data: 'mnist', preset: 'mnist', set: ['steps=100000'] },
  metrics: ['linear-probe', 'kl', 'reconstruction'],
};
const onShapes = {
  ...{ title: 'drawn shapes', data: 'shapes', preset: undefined },
  set: ['steps=100000', 'latents=8', 'lambdaOffDiagonal=20', 'lambdaDiagonal=20', 'learningRate=0.001'],
  metrics: ['sap', 'kl', 'reconstruction'],
};

export async function demo({ minutes, seed, out, json }: DemoFlags): Promise<void> {
  const { title, data, preset, set, metrics } = isHere(builtIn.mnist) ? onDigits : onShapes;
  if (data !== 'mnist') say(`MNIST is not here, so shapes are drawn to train on. ${builtIn.mnist.get}`);
  const { run } = await prepareRun({
    ...{ method: 'dip-vae-ii', data, preset, set, seed, root: out },
    command: callOf('train', 'dip-vae-ii', '--data', data, ...(preset ? ['--preset', preset] : []), '--set', ...set),
  });
  const { workers } = run.file.training;
  say(
    `Training DIP-VAE-II on ${title} for ${duration(60 * minutes)}, ${workers} worker(s), seed ${seed}, in ${run.folder}.`,
  );
  const outcome = await follow(run, { milliseconds: minutes * 60_000 });
  say('Measuring on the test part, and drawing.');
  const { scores } = await evaluate(run, { names: metrics, items: 5000 });
  const { files } = await drawRun(run, ['traversal', 'reconstruction', 'kl', 'curves'], { seed: 1 });
  if (json) {
    printJson({ run: run.name, folder: run.folder, seed, ...outcome, ...scores, files });
    return;
  }
  print(`${outcome.step} steps: ${termsText(outcome.terms)}`);
  for (const one of scores.results) print(`${one.title}: ${one.score.toFixed(3)}`);
  print(`Pictures:\n${files.map((file) => `  ${file}`).join('\n')}`);
  say(
    `Train on:  ${callOf('train', '--resume', run.folder)}\nMove the factors:  ${callOf('export', run.folder, 'page')}`,
  );
}
