/** `untangle train --seeds 1..5`: the same training over several seeds, and what they make of each term. */
import { spreadOf } from '../runs/index.ts';
import { callOf } from '../shell.ts';
import { prepareSeeds, type TrainRequest, trainSeeds } from '../training/index.ts';
import { interruptible, print, printJson, progress, say, spreadText } from './terminal.ts';

export async function trainOverSeeds(request: TrainRequest, seeds: number[], { json }: { json?: boolean }) {
  const { runs, notes } = await prepareSeeds(request, seeds);
  for (const note of notes) say(note);
  const [{ file }] = runs;
  say(
    `Training ${file.method} on ${file.data.target.source} with ${runs.length} seeds, ${file.training.steps} steps each. Ctrl-C stops and keeps all.`,
  );
  const { signal, release } = interruptible('Stopping after these steps, with checkpoints.');
  const line = progress();
  const outcomes = await trainSeeds(runs, {
    signal,
    onNote: say,
    onProgress: ({ done, running, step, steps }) =>
      line.at(step / steps, `${done} of ${runs.length} done, ${running} running`),
  }).finally(release);
  line.end();
  const names = [...new Set(outcomes.flatMap(({ terms }) => Object.keys(terms)))];
  const terms = names.map((name) => ({ name, spread: spreadOf(outcomes.map((one) => one.terms[name])) }));
  const folders = runs.map(({ folder }) => folder);
  if (json)
    printJson({
      runs: runs.map(({ name, folder, file: { training } }, i) => ({
        run: name,
        folder,
        seed: training.seed,
        ...outcomes[i],
      })),
      terms: Object.fromEntries(terms.map(({ name, spread }) => [name, spread ?? null])),
    });
  else {
    for (const { name, spread } of terms) if (spread) print(`${name} ${spreadText(spread)}`);
    print(`The runs are in ${folders.join(', ')}.`);
  }
  const stopped = folders.filter((_, i) => outcomes[i].state === 'stopped');
  if (stopped.length > 0)
    say(`Go on with:\n${stopped.map((folder) => `  ${callOf('train', '--resume', folder)}`).join('\n')}`);
  else say(`Compare:  ${callOf('compare', ...folders)}\nMeasure:  ${callOf('evaluate', ...folders)}`);
}
