/** `untangle explain`: what each dimension of a model does, in words. */
import { explain as explained } from '../use/index.ts';
import { print, printJson, progress, say } from './terminal.ts';

export async function explain(meant: string, flags: { factors?: boolean; json?: boolean }): Promise<void> {
  const line = progress();
  const { run, step, dimensions } = await explained(meant, {
    ...(flags.factors !== undefined && { factors: flags.factors }),
    onNote: say,
    onProgress: (share) => line.at(share, 'explaining'),
  }).finally(line.end);
  if (flags.json) {
    printJson({ run: run.name, step, dimensions });
    return;
  }
  const rows = dimensions
    .filter(({ name }) => name !== 'does next to nothing')
    .map(({ block, index, name, isSeveral, changes, kl, factors }) => [
      `${block} ${index}`,
      isSeveral && changes.length > 0 ? `${name}: ${changes.map(({ words }) => words).join('; ')}` : name,
      kl === undefined ? '' : `KL ${kl.toFixed(2)}`,
      factors.length === 0
        ? ''
        : `goes with ${factors.map((one) => `${one.name} (${one.correlation.toFixed(2)})`).join(', ')}`,
    ]);
  const widths = [0, 1, 2].map((column) => Math.max(0, ...rows.map((row) => row[column].length)));
  for (const row of rows)
    print(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  const silent = dimensions.length - rows.length;
  if (silent > 0) print(`${silent === 1 ? 'One dimension does' : `${silent} dimensions do`} next to nothing.`);
}
