/** Places codes in the plane, off the page's thread, and tells how far it is. */
import { tsneSteps } from '../../src/analysis/tsne.ts';
import { umap } from '../../src/analysis/umap.ts';

export interface EmbedRequest {
  kind: 't-SNE' | 'UMAP';
  x: Float32Array;
  n: number;
  d: number;
}

export interface EmbedProgress {
  /** From 0 to 1. */
  done: number;
  /** n × 2. */
  embedding?: Float32Array;
  error?: string;
}

const iterations = 750;
const seed = 1;
/** Pages draw about so often while the points move. */
const between = 120;

addEventListener('message', ({ data: { kind, x, n, d } }: MessageEvent<EmbedRequest>) => {
  try {
    let last = 0;
    const tell = (done: number, embedding: Float64Array) => {
      if (done < 1 && performance.now() - last < between) return;
      last = performance.now();
      const sent = Float32Array.from(embedding);
      postMessage({ done, embedding: sent } satisfies EmbedProgress, { transfer: [sent.buffer] });
    };
    if (kind === 't-SNE') {
      for (const { iteration, embedding } of tsneSteps({ x: Float64Array.from(x), n, d, seed, iterations }))
        tell(iteration / iterations, embedding);
    } else {
      umap({
        x: Float64Array.from(x),
        n,
        d,
        seed,
        neighbours: Math.min(15, n - 1),
        onProgress: ({ epoch, epochs, embedding }) => tell(epoch / epochs, embedding),
      });
    }
    postMessage({ done: 1 } satisfies EmbedProgress);
  } catch (error) {
    postMessage({ done: 1, error: error instanceof Error ? error.message : String(error) } satisfies EmbedProgress);
  }
});
