/** What tests of methods look at: the codes of a trained session, and a small table whose codes depend on each other. */
import { discretise, mutualInformation } from '../../analysis/index.ts';
import type { Dataset, Opened } from '../../data/index.ts';
import { stream } from '../../random/index.ts';
import type { Session } from '../../training/session/session.ts';

export interface Posteriors {
  count: number;
  size: number;
  mean: Float32Array;
  logVariance: Float32Array;
  /** A sample of each item's posterior. */
  samples: Float32Array;
}

/** The posteriors of the first items of a dataset. */
export async function codesOf(session: Session, data: Dataset, count = data.length): Promise<Posteriors> {
  const x = data.gather(Uint32Array.from({ length: count }, (_, i) => i));
  const { 'z mean': mean, 'z log variance': logVariance } = await session.assembled.program.run('encode', { x });
  const noise = stream(1, 'noise of codes').normals(mean.length);
  const samples = mean.map((value, i) => value + Math.exp(logVariance[i] / 2) * noise[i]);
  return { count, size: mean.length / count, mean, logVariance, samples };
}

/** The covariance of the aggregate posterior, row after row. */
export function covarianceOf({ count, size, mean, logVariance }: Posteriors): Float64Array {
  const centre = new Float64Array(size);
  const covariance = new Float64Array(size * size);
  for (let i = 0; i < count * size; i++) centre[i % size] += mean[i] / count;
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < size; k++) {
      covariance[k * size + k] += Math.exp(logVariance[i * size + k]) / count;
      const offset = mean[i * size + k] - centre[k];
      for (let l = 0; l < size; l++) covariance[k * size + l] += (offset * (mean[i * size + l] - centre[l])) / count;
    }
  }
  return covariance;
}

/** The mutual information of a two-dimensional code's dimensions, which is its total correlation, by a 10 × 10 histogram. */
export async function dependenceOf(session: Session, { data }: { data: Dataset }): Promise<number> {
  const { samples } = await codesOf(session, data);
  const [first, second] = [0, 1].map((k) =>
    discretise(
      samples.filter((_, i) => i % 2 === k),
      10,
    ),
  );
  return mutualInformation(first, second);
}

/** Points around a circle, whose two columns are uncorrelated but far from independent. */
export function ring(count = 2048): Extract<Opened, { kind: 'single' }> {
  const random = stream(1, 'ring');
  const values = new Float32Array(2 * count);
  for (let i = 0; i < count; i++) {
    const angle = 2 * Math.PI * random.uniform();
    values[2 * i] = Math.SQRT2 * Math.cos(angle);
    values[2 * i + 1] = Math.SQRT2 * Math.sin(angle);
  }
  const gather: Dataset['gather'] = (indices, out = new Float32Array(2 * indices.length)) => {
    for (let i = 0; i < indices.length; i++) out.set(values.subarray(2 * indices[i], 2 * indices[i] + 2), 2 * i);
    return out;
  };
  return {
    kind: 'single',
    data: {
      name: 'ring',
      title: 'Ring',
      shape: { kind: 'table', columns: ['x', 'y'] },
      range: 'real',
      length: count,
      gather,
      fingerprint: 'ring',
    },
  };
}
