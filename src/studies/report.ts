/** A study's report: our table beside the paper's, seeds, deviations, claims, departures and figures, as HTML and as Markdown. */
import { base64, betterArrow, escaped, htmlPage, readable } from '../drawing/index.ts';
import { markdownTable } from '../markdown.ts';
import type { ClaimResult } from './claims.ts';
import { type MeanCell, meanOf, type StudyReport } from './results.ts';
import { type Column, hasTheirs, sentenceOf } from './study.ts';

/** A page that stands alone: no script, no network, pictures inside. */
export function htmlReport(report: StudyReport): string {
  const { study, results, figures } = report;
  const heads = study.columns.map(
    (column) =>
      `<th scope="col"${hasTheirs(study, column) ? ' colspan="2"' : ''}>${escaped(column.name)} ${betterArrow(column.better)}</th>`,
  );
  const whose = study.columns.map((column) => `<th>ours</th>${hasTheirs(study, column) ? '<th>theirs</th>' : ''}`);
  const rows = results.arms.map((arm) => {
    const cells = study.columns.map((column) => {
      const cell = arm.cells[column.name];
      const best = cell !== undefined && cell.mean === bestOf(report, column);
      const own = `<td${best ? ' class="best"' : ''}>${escaped(ours(cell, column))}</td>`;
      return hasTheirs(study, column) ? `${own}<td class="theirs">${escaped(theirs(cell, column))}</td>` : own;
    });
    return `<tr><th scope="row">${escaped(arm.name)}</th>${cells.join('')}</tr>`;
  });
  const second = study.columns.some((column) => hasTheirs(study, column)) ? `<tr><th></th>${whose.join('')}</tr>` : '';
  const table = `<table><thead><tr><th scope="col">method</th>${heads.join('')}</tr>${second}</thead><tbody>${rows.join('')}</tbody></table>`;
  const claims = results.claims.map(
    (claim) =>
      `<li class="${classOf[claim.verdict]}"><b>${claim.verdict}</b> ${escaped(claim.text)} <span>${escaped(groundsOf(claim))}</span></li>`,
  );
  const pictures = figures.map(
    ({ title, png }) =>
      `<figure><img src="data:image/png;base64,${base64(png)}" alt="${escaped(title)}"><figcaption>${escaped(title)}</figcaption></figure>`,
  );
  const body = `<h1>${escaped(study.title)}</h1>
<p class="lead">${escaped(study.question)}</p>
<p>${escaped(study.paper.cite)}, ${escaped(study.paper.where)}. Budget: ${results.budget}. ${escaped(seedsText(report))}</p>
<div class="scroll">${table}</div>
${claims.length > 0 ? `<h2>What the paper claims</h2><ul class="claims">${claims.join('')}</ul>` : ''}
<h2>Where the protocol departs from the paper’s</h2>${list(departuresOf(report))}
<h2>Runs</h2><div class="scroll">${runsTable(report)}</div>
${pictures.length > 0 ? `<h2>Figures</h2>${pictures.join('')}` : ''}
<p class="made">Made by <code>${escaped(results.command)}</code></p>`;
  return htmlPage(study.title, body, style);
}

/** Where the protocol departs, also by fewer seeds than the whole of it has and by settings that were given over the study's. */
export function departuresOf(report: Omit<StudyReport, 'figures'>): string[] {
  const { study, results } = report;
  const { budgets } = study;
  const [seeds, whole] = [seedsOf(report).length, budgets.paper.seeds.length];
  return [
    ...budgets[results.budget].departures.map(sentenceOf),
    ...(seeds > 0 && seeds < whole
      ? [`${seeds === 1 ? 'One seed' : `${seeds} seeds`}, where the budget “paper” has ${whole}.`]
      : []),
    ...(results.set.length > 0 ? [`Settings over all of these: ${results.set.join(', ')}.`] : []),
  ];
}

/** The same for a repository or a note; figures are named by their files. */
export function markdownReport(report: StudyReport): string {
  const { study, results, figures } = report;
  const head = study.columns.flatMap((column) => [
    `${column.name} ${betterArrow(column.better)}`,
    ...(hasTheirs(study, column) ? ['theirs'] : []),
  ]);
  const rows = results.arms.map((arm) => [
    arm.name,
    ...study.columns.flatMap((column) => {
      const cell = arm.cells[column.name];
      const best = cell !== undefined && cell.mean === bestOf(report, column);
      const own = best ? `**${ours(cell, column)}**` : ours(cell, column);
      return hasTheirs(study, column) ? [own, theirs(cell, column)] : [own];
    }),
  ]);
  return [
    `# ${study.title}`,
    '',
    study.question,
    '',
    `${study.paper.cite}, ${study.paper.where}. Budget: ${results.budget}. ${seedsText(report)}`,
    '',
    markdownTable(['method', ...head], rows, (column) => column > 0),
    '',
    ...results.arms.filter(({ failure }) => failure).map(({ name, failure }) => `${name}: ${failure}`),
    ...(results.claims.length > 0 ? ['## What the paper claims', ''] : []),
    ...results.claims.map((claim) => `- ${claim.verdict}: ${claim.text} (${groundsOf(claim)})`),
    '',
    '## Where the protocol departs from the paper’s',
    '',
    ...departuresOf(report).map((sentence) => `- ${sentence}`),
    '',
    ...figures.map(({ title, file }) => `![${title}](${file})\n`),
    `Made by \`${results.command}\`.`,
    '',
  ].join('\n');
}

function ours(cell: MeanCell | undefined, { digits }: Column): string {
  if (cell === undefined) return '–';
  return cell.mean.toFixed(digits) + (cell.deviation === undefined ? '' : ` ± ${cell.deviation.toFixed(digits)}`);
}

function theirs(cell: MeanCell | undefined, { digits }: Column): string {
  if (cell?.theirs === undefined) return '–';
  const spread = typeof cell.theirs === 'number' ? '' : ` ± ${cell.theirs.deviation.toFixed(digits)}`;
  const difference = cell.mean - meanOf(cell.theirs);
  const sign = difference < 0 ? '−' : '+';
  return `${meanOf(cell.theirs).toFixed(digits)}${spread} (${sign}${Math.abs(difference).toFixed(digits)})`;
}

function bestOf({ results }: StudyReport, { name, better }: Column): number {
  const means = results.arms.flatMap(({ cells }) => (cells[name] === undefined ? [] : [cells[name].mean]));
  return better === 'higher' ? Math.max(...means) : Math.min(...means);
}

function seedsOf({ results }: Omit<StudyReport, 'figures'>): number[] {
  return [...new Set(results.arms.flatMap(({ runs }) => runs.map(({ seed }) => seed)))].sort((a, b) => a - b);
}

/** How much was trained, as the page and the console say it. */
export function seedsText(report: Omit<StudyReport, 'figures'>): string {
  const { results } = report;
  const seeds = seedsOf(report);
  const hours = results.arms.flatMap(({ runs }) => runs).reduce((sum, { seconds }) => sum + seconds, 0) / 3600;
  const state = results.complete ? '' : ' Some runs are still missing.';
  return `Seeds ${seeds.join(', ') || 'none'}; ${hours.toFixed(2)} hours of training in all.${state}`;
}

function runsTable({ results }: StudyReport): string {
  const rows = results.arms.flatMap(({ name, runs, failure }) => [
    ...runs.map(
      ({ seed, steps, seconds, folder }) =>
        `<tr><th scope="row">${escaped(name)}</th><td>${seed}</td><td>${steps}</td><td>${(seconds / 60).toFixed(1)} min</td><td class="path">${escaped(folder)}</td></tr>`,
    ),
    ...(failure === undefined
      ? []
      : [`<tr><th scope="row">${escaped(name)}</th><td colspan="4">${escaped(failure)}</td></tr>`]),
  ]);
  return `<table><thead><tr><th>method</th><th>seed</th><th>steps</th><th>time</th><th>run</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

const classOf = { holds: 'holds', 'does not hold': 'fails', 'not settled': 'open' } as const;

/** What a verdict stands on: the means, the comparison that decides with its interval, or why there is none. */
export function groundsOf({ evidence, effect, interval, reason }: ClaimResult): string {
  const lead =
    effect !== undefined &&
    interval &&
    `lead ${readable(effect)}, 95 % ${readable(interval[0])} to ${readable(interval[1])}`;
  return [evidence, ...(lead ? [lead] : []), ...(reason === undefined ? [] : [reason])].join('; ');
}

const list = (items: readonly string[]) => `<ul>${items.map((item) => `<li>${escaped(item)}</li>`).join('')}</ul>`;
const style = `
:root{--ink:#1b1e23;--faint:#667;--line:#d8dbe2;--paper:#fff;--good:#0b6e4f;--bad:#a63d00}
@media(prefers-color-scheme:dark){:root{--ink:#e8e9ec;--faint:#9aa;--line:#383c45;--paper:#16181c;--good:#5fd3a8;--bad:#ff9d66}}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem;line-height:1.25}h2{font-size:1.15rem;margin-top:2rem}.lead{font-size:1.1rem}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}th,td{padding:.35rem .7rem;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}
th[scope=row],th:first-child{text-align:left}thead th{font-weight:600}.theirs,.path,.made{color:var(--faint)}.best{font-weight:700}.path{text-align:left;font-size:.85em}
.scroll{overflow-x:auto;width:max-content;min-width:100%;max-width:calc(100vw - 3rem);position:relative;left:50%;transform:translateX(-50%)}.claims span{color:var(--faint);display:block}.holds b{color:var(--good)}.fails b{color:var(--bad)}
figure{margin:1.5rem 0}img{max-width:100%;height:auto;background:#fff}figcaption{color:var(--faint)}`;
