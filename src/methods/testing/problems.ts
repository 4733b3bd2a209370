/** A small real problem for each kind of data that a method can need, for what every method has to pass. */
import { shapesDataset } from '../../data/sets/shapes.ts';
import { stream } from '../../random/index.ts';
import type { Brief } from '../../training/testing/briefly.ts';
import type { Method } from '../method.ts';
import { heaps, middleShapes } from './classes.ts';
import { mixedTables } from './contrast.ts';

/** Networks that are large as papers have them, made small. */
const smaller: Readonly<Record<string, string[]>> = { 'factor-vae': ['discriminatorWidth=64'] };

/** What a method is trained on in a second, and how. */
export async function smallProblem({ name, needs }: Method): Promise<Pick<Brief, 'data' | 'labels' | 'set'>> {
  const learningRate = needs === 'target+background' ? 3e-3 : 1e-3;
  const set = ['network=mlp', 'batchSize=16', `learningRate=${learningRate}`, ...(smaller[name] ?? [])];
  switch (needs) {
    case 'data':
      return { data: { kind: 'single', data: shapesDataset(8) }, set };
    case 'target+background':
      return { data: mixedTables(400), set };
    case 'labels':
      return { data: heaps(), set };
    case 'few-labels':
      return { data: await middleShapes(), set, labels: { labels: 40, labelFactors: ['shape', 'brightness'] } };
  }
}

/** Normal codes of a block, so many rows: of a class block, one class in each. */
export function someCodes({ name, kind, size }: { name: string; kind: string; size: number }, rows: number) {
  if (kind === 'gaussian') return stream(1, `codes of ${name}`).normals(rows * size);
  return Float32Array.from({ length: rows * size }, (_, at) => (at % size === Math.floor(at / size) % size ? 1 : 0));
}
