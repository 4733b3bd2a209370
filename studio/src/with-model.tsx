/** What pages share that move codes: the run's model, opened in the browser. */
import type { ComponentChildren } from 'preact';
import type { ModelFile } from '../../src/runs/index.ts';
import { api, type RunDetail } from './api.ts';
import { type BrowserModel, loadModel } from './model.ts';
import { Note, Trouble, useLoaded, Waiting } from './ui.tsx';

const opened = new Map<string, Promise<BrowserModel>>();

/** Opens the model of a run as it is at its step; a newer one takes the place of an older. */
export function openModel(name: string, file: ModelFile): Promise<BrowserModel> {
  const key = `${file.step} ${name}`;
  const known = opened.get(key);
  if (known) return known;
  const model = loadModel(file, (network) => api.modelFile(name, network), new URL('ort/', document.baseURI).href);
  opened.set(key, model);
  model.catch(() => opened.delete(key));
  return model;
}

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
