/** `untangle classify`: the encoder as a classifier, with its confidence; and how often it is right, where labels are known. */
import { existsSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { clusteringAccuracy } from '../analysis/index.ts';
import type { Dataset } from '../data/index.ts';
import { type ImageFolder, picturesIn, readLabelsFile } from '../data/index.ts';
import { UntangleError } from '../errors.ts';
import { type ClassVariable, classVariables, findRun, type Run } from '../runs/index.ts';
import { type Chosen, dataForModel, type Part, TrainedModel } from '../use/index.ts';
import { type DataFlags, dataChoice } from './data-flags.ts';
import { writeCsv } from './encode.ts';
import { print, printJson, progress, say, table } from './terminal.ts';

interface Flags extends Pick<DataFlags, 'crop' | 'label' | 'skipBad' | 'dataDir'> {
  out?: string;
  part?: Part;
  json?: boolean;
}

/** What the encoder says of each item about one variable, as places in the variable's classes. */
interface Guesses {
  best: Uint32Array;
  confidence: Float32Array;
  second: Uint32Array;
  secondConfidence: Float32Array;
}

/** What is known of each item: a place in `names`, or −1. */
interface Truth {
  names: readonly string[];
  values: Int32Array;
}

/** A variable with what was guessed and, where labels are known, how well. */
interface Answer extends Guesses {
  variable: ClassVariable;
  truth?: Truth;
  measured?: Measured;
}

interface Measured {
  accuracy: number;
  /** Items whose label is a class of the model. */
  counted: number;
  /** `counts[label][guess]`, labels by the names of the truth. */
  counts: number[][];
}

export async function classify(meant: string, spec: string | undefined, flags: Flags): Promise<void> {
  const { out, part, json, ...rest } = flags;
  if (out !== undefined && extname(out).toLowerCase() !== '.csv')
    throw new UntangleError(`Classes are written as .csv, not as “${out}”.`, { kind: 'call' });
  const run = await findRun(meant);
  const model = await TrainedModel.open(run.folder);
  const line = progress(2000);
  try {
    const variables = classVariables(model.file);
    if (variables.length === 0)
      throw new UntangleError(`${model.file.title} has no class block, so it tells no classes.`, {
        kind: 'call',
        hint: 'Train a method with classes, such as n-vae, parted-vae or classifier.',
      });
    if (!model.file.encodes)
      throw new UntangleError(`${model.file.title} has no encoder: it draws items of a class, but tells none.`, {
        kind: 'call',
      });
    const choice = {
      ...dataChoice(rest),
      onProgress: ({ what, done, total }: { what: string; done: number; total: number }) => line.at(done / total, what),
    };
    const { target } = await dataForModel(run, model.file, { spec, choice, part, onNote: say });
    const guesses = await guessesOf(model, variables, target, (share) => line.at(share, 'classifying'));
    const answers = variables.map((variable, v): Answer => {
      const truth = truthOf(run, variable, v, target);
      return { variable, ...guesses[v], ...(truth && { truth, measured: measure(variable, guesses[v], truth) }) };
    });
    line.end();
    const named = await itemNames(spec, target.data, rest.skipBad);
    const items = Array.from(target.items, (item) => named?.[item] ?? item);
    if (out !== undefined) await writeAnswers(out, items, answers);
    if (json) printJson(asJson(target.data.name, items, answers, out));
    else report(target.data.name, items, answers, out);
  } finally {
    line.end();
    await model.close();
  }
}

/** How many items are held at once, so that a set larger than the memory can be classified. */
const atOnce = 1024;

async function guessesOf(
  model: TrainedModel,
  variables: readonly ClassVariable[],
  { data, items }: Chosen,
  onShare: (share: number) => void,
): Promise<Guesses[]> {
  const n = items.length;
  const guesses = variables.map(
    (): Guesses => ({
      best: new Uint32Array(n),
      confidence: new Float32Array(n),
      second: new Uint32Array(n),
      secondConfidence: new Float32Array(n),
    }),
  );
  for (let start = 0; start < n; start += atOnce) {
    const batch = items.subarray(start, start + atOnce);
    const codes = await model.encode(data.gather(batch));
    for (const [v, { block }] of variables.entries()) {
      const values = codes.find((code) => code.block.name === block.name)!.values;
      for (let i = 0; i < batch.length; i++)
        rank(values.subarray(i * block.size, (i + 1) * block.size), guesses[v], start + i);
    }
    onShare((start + batch.length) / n);
  }
  return guesses;
}

/** Puts the two largest probabilities in their places; with a single class it is the second best too. */
function rank(probabilities: Float32Array, { best, confidence, second, secondConfidence }: Guesses, at: number): void {
  const order = Array.from(probabilities.keys()).sort((a, b) => probabilities[b] - probabilities[a]);
  best[at] = order[0];
  confidence[at] = probabilities[order[0]];
  second[at] = order[1] ?? order[0];
  secondConfidence[at] = order.length > 1 ? probabilities[order[1]] : 0;
}

/** A variable's known classes: a factor if the run took it for labels, or for the first variable the labels. */
function truthOf(
  { file }: Run,
  { name, classes }: ClassVariable,
  v: number,
  { data, items }: Chosen,
): Truth | undefined {
  const { labels, factors } = data;
  const { labelFactors } = file.data;
  const column = factors?.factors.findIndex((factor) => factor.name === name) ?? -1;
  if (Array.isArray(labelFactors) && labelFactors.includes(name) && factors && column >= 0) {
    const factorOf = (item: number) => factors.values[item * factors.factors.length + column];
    const values = Int32Array.from(items, (item) => (factorOf(item) in classes ? factorOf(item) : -1));
    return { names: classes, values };
  }
  if (v > 0 || !labels) return undefined;
  return { names: labels.names, values: Int32Array.from(items, (item) => labels.values[item]) };
}

/** By the names of classes; where labels gave them none, under the best naming. */
function measure({ classes, isNamed }: ClassVariable, { best }: Guesses, { names, values }: Truth): Measured {
  const place = names.map((name) => classes.indexOf(name));
  const counts = names.map(() => new Array<number>(classes.length).fill(0));
  const known = Array.from(values.keys()).filter((i) => values[i] >= 0 && (!isNamed || place[values[i]] >= 0));
  for (const i of known) counts[values[i]][best[i]]++;
  return { accuracy: known.length === 0 ? Number.NaN : accuracy(), counted: known.length, counts };

  function accuracy(): number {
    if (isNamed) return known.filter((i) => place[values[i]] === best[i]).length / known.length;
    const [guesses, labels] = [best, values].map((all) => Int32Array.from(known, (i) => all[i]));
    return clusteringAccuracy(guesses, labels).accuracy;
  }
}

/** What items are called, where they are files. */
async function itemNames(spec: string | undefined, data: Dataset, skipBad = false): Promise<string[] | undefined> {
  if (spec === undefined || data.shape.kind !== 'image' || !existsSync(spec)) return undefined;
  if (!statSync(spec).isDirectory()) return data.length === 1 ? [spec] : undefined;
  const found = await picturesIn(spec);
  const files = (await readLabelsFile(spec, found, { skipBad }))?.files ?? found;
  const bad = new Set(isImageFolder(data) ? data.bad.map(({ name }) => name) : []);
  const kept = files.filter((file) => !bad.has(file));
  return kept.length === data.length ? kept : undefined;
}

const isImageFolder = (data: Dataset): data is ImageFolder => 'bad' in data;

async function writeAnswers(path: string, items: readonly (string | number)[], answers: readonly Answer[]) {
  const prefix = ({ variable }: Answer, what: string) => (answers.length === 1 ? what : `${variable.name} ${what}`);
  const columns = answers.flatMap((answer) => [
    answers.length === 1 ? 'class' : answer.variable.name,
    ...['confidence', 'second best', 'second confidence'].map((what) => prefix(answer, what)),
    ...(answer.truth ? [prefix(answer, 'label')] : []),
  ]);
  const rows = items.flatMap((item, i) => [item, ...answers.flatMap((answer) => Object.values(answerAt(answer, i)))]);
  await writeCsv(path, ['item', ...columns], rows);
}

function answerAt({ variable: { classes }, truth, ...guesses }: Answer, i: number) {
  return {
    class: classes[guesses.best[i]],
    confidence: guesses.confidence[i],
    second: classes[guesses.second[i]],
    secondConfidence: guesses.secondConfidence[i],
    ...(truth && { label: truth.names[truth.values[i]] ?? '' }),
  };
}

function asJson(data: string, items: readonly (string | number)[], answers: readonly Answer[], out?: string) {
  return {
    data,
    items: items.length,
    variables: answers.map(({ variable, truth, measured, confidence }) => ({
      name: variable.name,
      classes: variable.classes,
      named: variable.isNamed,
      meanConfidence: meanOf(confidence),
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

function report(data: string, items: readonly (string | number)[], answers: readonly Answer[], out?: string): void {
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

function reportMeasured({ variable, truth, measured, confidence }: Answer, isOneOfSeveral: boolean): void {
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
    `\n${subject}${percent(accuracy)} of ${counted} labelled items are right${how}; mean confidence ${percent(meanOf(confidence))}.`,
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

const meanOf = (values: Float32Array) => values.reduce((sum, value) => sum + value, 0) / values.length;

const some = (names: readonly string[]) => names.slice(0, 5).join(', ') + (names.length > 5 ? ' …' : '');
