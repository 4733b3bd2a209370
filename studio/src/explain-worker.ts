/** Measures what changes along traversals, away from the page, which goes on moving meanwhile. */
import { type ExplainedModel, type Explanation, explainTraversals } from '../../src/explain/index.ts';

export interface ExplainRequest {
  id: number;
  traversals: Float32Array[];
  model: Pick<ExplainedModel, 'shape' | 'columns'>;
}

export interface Explained {
  id: number;
  explanation: Explanation;
}

addEventListener('message', ({ data: { id, traversals, model } }: MessageEvent<ExplainRequest>) => {
  postMessage({ id, explanation: explainTraversals(traversals, model) } satisfies Explained);
});
