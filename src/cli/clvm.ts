/** `untangle clvm`: the contrastive latent variable model of a target and a background, with a page, JSON and every item's codes. */

import { latentPage, latentReport } from '../contrast/index.ts';
import { chooseData } from '../data/index.ts';
import { UntangleError } from '../errors.ts';
import { toJson } from '../runs/index.ts';
import { writeReport } from './contrast.ts';
import { dataChoice } from './flags.ts';
import type { ClvmFlags } from './measuring-verbs.ts';
import { print, printJson, say, table } from './terminal.ts';

export async function fitClvm(flags: ClvmFlags): Promise<void> {
  const { opened, warnings } = await chooseData(flags.data, dataChoice(flags));
  for (const warning of warnings) say(warning);
  if (opened.kind === 'single')
    throw new UntangleError(
      `A contrastive model compares a target with a background; ${opened.data.name} is one set.`,
      {
        kind: 'call',
        hint: 'Name the other set with --background, or say which items it is with --background-where.',
      },
    );
  const { report, figures, csv } = latentReport(opened, flags);
  for (const note of report.notes) say(note);
  const files = await writeReport(flags.out, {
    'clvm.html': latentPage(report, figures),
    'clvm.json': `${toJson(report, 2)}\n`,
    'clvm.csv': csv,
  });
  if (flags.json) {
    printJson({ ...report, files });
    return;
  }
  const rows = report.directions.map(({ variance, share, deviation, loadings }, c) => [
    String(c + 1),
    variance.toPrecision(3),
    `${(100 * share).toFixed(1)} %`,
    deviation.toPrecision(2),
    (loadings ?? [])
      .slice(0, 3)
      .map(({ column }) => column)
      .join(', '),
  ]);
  print(table([['direction', 'variance', 'of the target’s', 'deviation of a code', 'columns'], ...rows]));
  if (report.labels !== undefined) print(`Silhouette of the labels: ${report.labels.toFixed(2)}`);
  print(['', ...files].join('\n'));
}
