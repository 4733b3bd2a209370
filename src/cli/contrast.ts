/** `untangle contrast`: what a run found that its target has and its background lacks, as a page, as JSON and as a table of items. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { contrastPage, contrastReport } from '../contrast/index.ts';
import { findRun, toJson, writeAtomically } from '../runs/index.ts';
import type { ContrastFlags } from './measuring-verbs.ts';
import { print, printJson, progress, say } from './terminal.ts';

export async function contrast(meant: string, flags: ContrastFlags): Promise<void> {
  const run = await findRun(meant);
  const line = progress();
  const { report, figures, csv } = await contrastReport(run, {
    seed: flags.seed,
    onNote: say,
    onProgress: line.at,
    dataDir: flags.dataDir,
  });
  const files = await writeReport(flags.out ?? join(run.folder, 'contrast'), {
    'contrast.html': contrastPage(report, figures),
    'contrast.json': `${toJson(report, 2)}\n`,
    'salience.csv': csv,
  });
  line.end();
  if (flags.json) printJson({ ...report, files });
  else print([...report.verdict.sentences, '', ...files].join('\n'));
}

/** Writes files into a folder that is made if it is not there, and gives their paths. */
export async function writeReport(folder: string, contents: Readonly<Record<string, string>>): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const files: string[] = [];
  for (const [name, content] of Object.entries(contents)) {
    files.push(join(folder, name));
    await writeAtomically(join(folder, name), content);
  }
  return files;
}
