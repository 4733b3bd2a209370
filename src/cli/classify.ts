/** `untangle classify`: the class of each item with its confidence, and how often it is right where labels are known. */
import { extname } from 'node:path';
import { UntangleError } from '../errors.ts';
import type { ClassVariable } from '../runs/index.ts';
import { type Answer, answerAt, type Classified, classify as classified, writeClasses } from '../use/index.ts';
import { dataChoice } from './flags.ts';
import type { ClassifyFlags } from './model-verbs.ts';
import { print, printJson, progress, say, table } from './terminal.ts';

export async function classify(run: string, data: string | undefined, flags: ClassifyFlags): Promise<void> {
  const { out, part, json } = flags;
  if (out !== undefined && extname(out).toLowerCase() !== '.csv')
    throw new UntangleError(`Classes are written as .csv, not as “${out}”.`, { kind: 'call' });
  const line = progress(2000);
  const request = { data, part, choice: dataChoice(flags), onNote: say, onProgress: line.at };
  const found = await classified(run, request).finally(line.end);
  if (out !== undefined) await writeClasses(out, found);
  if (json) printJson(asJson(found, out));
  else report(found, out);
}

function asJson({ data, items, answers }: Classified, out?: string) {
  return {
    data,
    items: items.length,
    variables: answers.map(({ variable, truth, measured, meanConfidence }) => ({
      name: variable.name,
      classes: variable.classes,
      named: variable.isNamed,
      meanConfidence,
      ...(truth &&
        measured && {
          ...(measured.counted > 0 && { accuracy: measured.accuracy }),
          counted: measured.counted,
          confusion: { labels: truth.names, counts: measured.counts },
        }),
    })),
    ...(out === undefined
      ? {
          results: items.map((item, i) => ({
            item,
            guesses: answers.map((answer) => ({ variable: answer.variable.name, ...answerAt(answer, i) })),
          })),
        }
      : { out }),
  };
}

/** More rows do not help anybody on a screen. */
const mostRows = 20;

function report({ data, items, answers }: Classified, out?: string): void {
  if (out !== undefined) print(`The classes of ${items.length} items of ${data} are in ${out}.`);
  else {
    print(itemsTable(items.slice(0, mostRows), answers));
    if (items.length > mostRows)
      print(`… and ${items.length - mostRows} more items; --out classes.csv writes all of them.`);
  }
  for (const answer of answers) reportMeasured(answer, answers.length > 1);
}

function itemsTable(items: readonly (string | number)[], answers: readonly Answer[]): string {
  const heads = answers.flatMap(({ variable, truth }) => [
    answers.length === 1 ? 'class' : variable.name,
    'confidence',
    'second best',
    ...(truth ? ['label'] : []),
  ]);
  const rows = items.map((item, i) => [
    `${item}`,
    ...answers.flatMap((answer) => {
      const { class: best, confidence, second, secondConfidence, label } = answerAt(answer, i);
      const runnerUp = answer.variable.classes.length > 1 ? `${second} (${percent(secondConfidence)})` : '–';
      return [best, percent(confidence), runnerUp, ...(label === undefined ? [] : [label])];
    }),
  ]);
  return table([['item', ...heads], ...rows]);
}

function reportMeasured(
  { variable, truth, measured, confidence, meanConfidence }: Answer,
  isOneOfSeveral: boolean,
): void {
  if (!truth || !measured) return;
  const { accuracy, counted, counts } = measured;
  const subject = isOneOfSeveral ? `${variable.name}: ` : '';
  const uncounted = confidence.length - counted;
  if (counted === 0) {
    print(`\n${subject}None of the labels (${some(truth.names)}) is a class of the model (${some(variable.classes)}).`);
    return;
  }
  const how = variable.isNamed ? '' : ' under the best naming of the classes, which the model found without labels';
  print(
    `\n${subject}${percent(accuracy)} of ${counted} labelled items are right${how}; mean confidence ${percent(meanConfidence)}.`,
  );
  if (uncounted > 0) print(`Not counted, as their label is no class of the model: ${uncounted} items.`);
  print(`\n${confusion(truth.names, variable, counts)}`);
}

/** Labels down, guesses across; of many classes the most frequent mistakes. */
function confusion(labels: readonly string[], { classes, isNamed }: ClassVariable, counts: number[][]): string {
  const shown = labels.map((_, row) => row).filter((row) => counts[row].some((count) => count > 0));
  if (Math.max(shown.length, classes.length) <= mostRows)
    return table([
      ['label', ...classes, ...(isNamed ? ['right'] : [])],
      ...shown.map((row) => {
        const total = counts[row].reduce((sum, count) => sum + count, 0);
        const right = isNamed ? [percent(counts[row][classes.indexOf(labels[row])] / total)] : [];
        return [labels[row], ...counts[row].map((count) => (count === 0 ? '–' : `${count}`)), ...right];
      }),
    ]);
  const mistakes = shown
    .flatMap((row) => counts[row].map((count, k) => ({ label: labels[row], guess: classes[k], count })))
    .filter(({ label, guess, count }) => count > 0 && (!isNamed || label !== guess))
    .sort((a, b) => b.count - a.count);
  const rows = mistakes.slice(0, mostRows).map(({ label, guess, count }) => [label, guess, `${count}`]);
  return rows.length === 0 ? 'No mistakes.' : table([['label', isNamed ? 'taken for' : 'class', 'items'], ...rows]);
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

const some = (names: readonly string[]) => names.slice(0, 5).join(', ') + (names.length > 5 ? ' …' : '');
