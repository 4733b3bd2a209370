/** What pages share that move codes: the run's model opened in the browser, and work that keeps up with a hand. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RunDetail } from './api.ts';
import { type BrowserModel, openModel } from './model.ts';
import { say } from './state.ts';
import { asError, Note, Trouble, useLoaded, Waiting } from './ui.tsx';

/** What a page needs that moves codes: the run's model, opened in the browser. */
export function WithModel({ run, children }: { run: RunDetail; children: (model: BrowserModel) => ComponentChildren }) {
  const { name, model: file } = run;
  const model = useLoaded(
    () =>
      file
        ? openModel(name, file)
        : Promise.reject(new Error('This run has no model yet: it is written with the first checkpoint.')),
    `${name} ${file?.step}`,
  );
  if (!model) return <Waiting what="Loading the model into this browser …" />;
  if ('error' in model)
    return file ? (
      <Trouble error={model.error} />
    ) : (
      <Note>
        <p>{model.error.message}</p>
      </Note>
    );
  return <>{children(model.value)}</>;
}

/** The newest result of work that may be asked for faster than it is done: what came in between is passed over. */
export function useLatest<T>(work: () => Promise<T>): T | undefined {
  const [result, setResult] = useState<T>();
  const state = useRef<{ busy: boolean; next?: () => Promise<T> }>({ busy: false });
  useLayoutEffect(() => {
    const { current } = state;
    current.next = work;
    if (current.busy) return;
    current.busy = true;
    (async () => {
      while (current.next) {
        const now = current.next;
        delete current.next;
        try {
          setResult(await now());
        } catch (thrown) {
          say(asError(thrown).message);
        }
      }
      current.busy = false;
    })();
  }, [work]);
  return result;
}
