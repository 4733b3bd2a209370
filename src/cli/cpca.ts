/** `untangle cpca`: contrastive PCA of a target against a background, with a page, JSON and the target's coordinates. */

import { linearPage, linearReport } from '../contrast/index.ts';
import { chooseData } from '../data/index.ts';
import { UntangleError } from '../errors.ts';
import { toJson } from '../runs/index.ts';
import { writeReport } from './contrast.ts';
import { type DataFlags, dataChoice } from './flags.ts';
import { print, printJson, say, table } from './terminal.ts';

export interface CpcaFlags extends DataFlags {
  data: string;
  alphas?: string;
  out: string;
  json?: boolean;
}

export async function cpca(flags: CpcaFlags): Promise<void> {
  const alphas = flags.alphas === undefined ? undefined : numbers(flags.alphas);
  const { opened, warnings } = await chooseData(flags.data, dataChoice(flags));
  for (const warning of warnings) say(warning);
  if (opened.kind === 'single')
    throw new UntangleError(`Contrastive PCA compares a target with a background; ${opened.data.name} is one set.`, {
      kind: 'call',
      hint: 'Name the other set with --background, or say which items it is with --background-where.',
    });
  const { report, figures, csv } = linearReport(opened, alphas);
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

function numbers(text: string): number[] {
  return text.split(',').map((part) => {
    const value = Number(part);
    if (part.trim() !== '' && Number.isFinite(value) && value >= 0) return value;
    throw new UntangleError(`--alphas takes numbers of 0 or more, not “${part.trim()}”.`, {
      kind: 'call',
      hint: 'As in --alphas 0,1,10.',
    });
  });
}
