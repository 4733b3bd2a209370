/** `untangle cpca`: contrastive PCA of a target against a background, with a page, JSON and the target's coordinates. */

import { linearPage, linearReport } from '../contrast/index.ts';
import { chooseData } from '../data/index.ts';
import { UntangleError } from '../errors.ts';
import { toJson } from '../runs/index.ts';
import { writeReport } from './contrast.ts';
import { dataChoice } from './flags.ts';
import type { CpcaFlags } from './measuring-verbs.ts';
import { print, printJson, say, table } from './terminal.ts';

export async function cpca(flags: CpcaFlags): Promise<void> {
  const { opened, warnings } = await chooseData(flags.data, dataChoice(flags));
  for (const warning of warnings) say(warning);
  if (opened.kind === 'single')
    throw new UntangleError(`Contrastive PCA compares a target with a background; ${opened.data.name} is one set.`, {
      kind: 'call',
      hint: 'Name the other set with --background, or say which items it is with --background-where.',
    });
  const { report, figures, csv } = linearReport(opened, flags.alphas, flags.kernel);
  for (const note of report.notes) say(note);
  const files = await writeReport(flags.out, {
    'cpca.html': linearPage(report, figures),
    'cpca.json': `${toJson(report, 2)}\n`,
    'cpca.csv': csv,
  });
  if (flags.json) {
    printJson({ ...report, files });
    return;
  }
  const rows = report.models.map(({ alpha, target, background, labels }) => [
    String(Number(alpha.toPrecision(3))),
    target.map((value) => value.toPrecision(3)).join(', '),
    background.map((value) => value.toPrecision(3)).join(', '),
    labels === undefined ? '' : labels.toFixed(2),
  ]);
  print(table([['α', 'variance in the target', 'in the background', 'silhouette of the labels'], ...rows]));
  print(['', ...files].join('\n'));
}
