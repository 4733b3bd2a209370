/** What the dimensions of the model on the page do, one after the other, those first that carry most. */
import { useEffect, useState } from 'preact/hooks';
import { type Explanation, traversalsOf } from '../../src/explain/index.ts';
import { quiet } from './codes.ts';
import type { Explained, ExplainRequest } from './explain-worker.ts';
import type { BrowserModel } from './model.ts';

/** By block and index, as `z 3`; more as they are found. */
export type Explanations = Readonly<Record<string, Explanation>>;

export function useExplanations(model: BrowserModel): Explanations {
  const [known, setKnown] = useState<Explanations>({});
  useEffect(() => {
    setKnown({});
    const worker = new Worker(new URL('./explain-worker.ts', import.meta.url), { type: 'module' });
    const { blocks, data } = model.file;
    const facts = { shape: data.shape, ...(data.transformation && { columns: data.transformation.columns }) };
    const wanted = blocks
      .filter((block) => block.kind === 'gaussian' && model.takes(block))
      .flatMap((block) =>
        Array.from({ length: block.size }, (_, index) => ({ block, index, kl: Number(block.kl?.[index] ?? 0) })),
      )
      .filter(({ block, kl }) => block.kl === undefined || kl >= quiet)
      .sort((a, b) => b.kl - a.kl);
    let left = false;
    worker.addEventListener('message', ({ data: { id, explanation } }: MessageEvent<Explained>) => {
      const { block, index } = wanted[id];
      setKnown((now) => ({ ...now, [`${block.name} ${index}`]: explanation }));
    });
    const ask = async () => {
      for (const [id, { block, index }] of wanted.entries()) {
        if (left) return;
        const decode: typeof model.decode = (codes, count) => model.decode(codes, count);
        const traversals = await traversalsOf({ blocks, ...facts, decode }, block, index);
        worker.postMessage({ id, traversals, model: facts } satisfies ExplainRequest);
      }
    };
    // Words are not worth an error: what can't be decoded is told by the mixer itself.
    ask().catch(() => {});
    return () => {
      left = true;
      worker.terminate();
    };
  }, [model]);
  return known;
}
