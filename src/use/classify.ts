/** `classify`: the encoder as a classifier, with its confidence; and how often it is right, where labels are known. */
import { existsSync, statSync } from 'node:fs';
import { clusteringAccuracy, mean } from '../analysis/index.ts';
import { type Dataset, type ImageFolder, picturesIn, readLabelsFile, writeCsv } from '../data/index.ts';
import { defined } from '../defined.ts';
import { UntangleError } from '../errors.ts';
import { type ClassVariable, classVariables, type Run } from '../runs/index.ts';
import { type ChosenItems, type DataRequest, dataForModel } from './model-data.ts';
import { type TrainedModel, withModel } from './trained-model.ts';

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
export interface Answer extends Guesses {
  variable: ClassVariable;
  meanConfidence: number;
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

export interface Classified {
  /** The set's name. */
  data: string;
  /** Each item's file, or its place in the set. */
  items: (string | number)[];
  /** One for each variable that the model tells. */
  answers: Answer[];
}

/**
 * Tells the classes of data, or of the test part of the run's own.
 *
 * @example const { items, answers } = await classify('runs/n-vae-mnist-1', { data: 'digit.png' })
 */
export async function classify(run: Run | string, request: DataRequest = {}): Promise<Classified> {
  const { data: spec, choice, onProgress = () => {} } = request;
  return await withModel(run, async (model, opened) => {
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
    const { target } = await dataForModel(opened, model.file, request);
    const guesses = await guessesOf(model, variables, target, (share) => onProgress(share, 'classifying'));
    const answers = variables.map((variable, v): Answer => {
      const truth = truthOf(opened, variable, v, target);
      const measured = truth && measure(variable, guesses[v], truth);
      return { variable, ...guesses[v], meanConfidence: mean(guesses[v].confidence), ...defined({ truth, measured }) };
    });
    const named = await itemNames(spec, target.data, choice?.skipBad);
    return { data: target.data.name, items: Array.from(target.items, (item) => named?.[item] ?? item), answers };
  });
}

/** How many items are held at once, so that a set larger than the memory can be classified. */
const atOnce = 1024;

async function guessesOf(
  model: TrainedModel,
  variables: readonly ClassVariable[],
  { data, items }: ChosenItems,
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
  { data, items }: ChosenItems,
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

/** Writes a row for each item: its class, the second best and the label where it is known. */
export async function writeClasses(path: string, { items, answers }: Classified): Promise<void> {
  const prefix = ({ variable }: Answer, what: string) => (answers.length === 1 ? what : `${variable.name} ${what}`);
  const columns = answers.flatMap((answer) => [
    answers.length === 1 ? 'class' : answer.variable.name,
    ...['confidence', 'second best', 'second confidence'].map((what) => prefix(answer, what)),
    ...(answer.truth ? [prefix(answer, 'label')] : []),
  ]);
  const rows = items.flatMap((item, i) => [item, ...answers.flatMap((answer) => Object.values(answerAt(answer, i)))]);
  await writeCsv(path, ['item', ...columns], rows);
}

/** What is said of one item. */
export function answerAt({ variable: { classes }, truth, ...guesses }: Answer, i: number) {
  return {
    class: classes[guesses.best[i]],
    confidence: guesses.confidence[i],
    second: classes[guesses.second[i]],
    secondConfidence: guesses.secondConfidence[i],
    ...(truth && { label: truth.names[truth.values[i]] ?? '' }),
  };
}
