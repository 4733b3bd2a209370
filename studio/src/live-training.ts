/** A training in the tab, on items that are held in memory: the session is the one that trains runs, whatever the method. */
import { UntangleError } from '../../src/errors.ts';
import { type Method, methodNamed } from '../../src/methods/index.ts';
import {
  type Codes,
  itemSize,
  outputsOf,
  priorOf,
  repeated,
  startingCodes,
  traversed,
  withChosenClasses,
} from '../../src/model/index.ts';
import type { Backend } from '../../src/runtime/index.ts';
import {
  describeBlocks,
  readSettings,
  resolveSettings,
  Session,
  type SessionData,
} from '../../src/training/session/index.ts';
import { traversalValues } from './codes.ts';
import { type LiveData, type LivePicture, type LiveStart, reconstructed, stripLength } from './live-protocol.ts';

/** What a tab can do in a moment, where nobody asks for other settings. */
const usual = ['batchSize=32', 'learningRate=0.001'];
/** Items whose labels a method of few labels sees. */
const fewLabels = 100;

export interface LiveTraining {
  session: Session;
  data: SessionData;
}

/** Opens a session for what the page asks for. */
export async function openTraining(
  start: Omit<LiveStart, 'kind' | 'runtime'>,
  backend: Backend,
): Promise<LiveTraining> {
  const method = methodNamed(start.method);
  const stored = resolveSettings(method, { set: [...usual, ...start.set] });
  const { options, training } = readSettings(method, stored.options, stored.training);
  const data = dataOf(start.data, method.needs);
  const session = await Session.open(method, data, options, {
    training,
    seed: start.seed,
    workers: 1,
    threads: 1,
    backend,
  });
  return { session, data };
}

/** All items are trained on; none is held out. */
function dataOf({ items, facts, background, labels }: LiveData, needs: Method['needs']): SessionData {
  if (needs === 'target+background' && !background)
    throw new UntangleError('This method compares a target with a background; this data is one set.');
  if (needs.endsWith('labels') && !labels) throw new UntangleError('This method needs labels; this data has none.');
  const target = inMemory(items, facts);
  const { train } = target.split;
  const isTold = labels !== undefined && needs.endsWith('labels');
  const variables = isTold ? [{ name: 'class', classes: labels.names, values: Uint16Array.from(labels.values) }] : [];
  const labelled = isTold ? (needs === 'labels' ? train : train.subarray(0, fewLabels)) : new Uint32Array(0);
  return {
    target,
    background: background && inMemory(background, facts),
    variables,
    labelled,
    context: { item: facts.shape, range: facts.range, items: train.length, variables, labelled: labelled.length },
  };
}

function inMemory(items: Float32Array, facts: LiveData['facts']): SessionData['target'] {
  const size = itemSize(facts.shape);
  const gather = (places: ArrayLike<number>, out = new Float32Array(places.length * size)) => {
    for (let row = 0; row < places.length; row++)
      out.set(items.subarray(places[row] * size, (places[row] + 1) * size), row * size);
    return out;
  };
  const train = Uint32Array.from({ length: items.length / size }, (_, item) => item);
  return { data: { shape: facts.shape, gather }, split: { train, validation: new Uint32Array(0) } };
}

/** What the model makes of its first items and of each dimension of its code. */
export async function pictureOf({ session, data }: LiveTraining): Promise<LivePicture> {
  const { program, functions } = session.assembled;
  const blocks = await describeBlocks(data, session);
  const taken = (await program.inputsOf('decode')).map(({ name }) => name);
  const decode = async (codes: Codes) => {
    const { x } = await program.run('decode', Object.fromEntries(taken.map((name) => [name, codes[name]])));
    return x.slice();
  };
  const start = startingCodes(blocks);
  const dimensions: LivePicture['dimensions'] = [];
  for (const block of blocks.filter(({ name }) => taken.includes(name))) {
    const isClass = block.kind === 'categorical';
    const prior = priorOf(block, start);
    for (let k = 0; k < (isClass ? 1 : block.size); k++) {
      const codes = isClass
        ? { ...repeated(start, stripLength), [block.name]: eachClass(block.size) }
        : traversed(start, block, k, traversalValues(prior, k, stripLength));
      const name = isClass ? block.name : `${block.name} ${k}`;
      dimensions.push({ name, kl: block.kl?.[k] ?? 0, items: await decode(codes) });
    }
  }
  const given = data.target.data.gather(data.target.split.train.subarray(0, reconstructed));
  const picture: LivePicture = { kind: 'picture', step: session.iteration, dimensions, given };
  if (functions.encode === undefined) return picture;
  const posterior = await program.run('encode', { x: given });
  const codes = Object.fromEntries(blocks.map((block) => [block.name, posterior[outputsOf(block).values]]));
  return { ...picture, reconstructions: await decode(withChosenClasses(codes, blocks)) };
}

/** One class after the other. */
function eachClass(size: number): Float32Array {
  const all = new Float32Array(stripLength * size);
  for (let row = 0; row < stripLength; row++) all[row * size + (row % size)] = 1;
  return all;
}
