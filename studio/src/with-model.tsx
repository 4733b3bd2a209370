/** What the views of a run share: the run, and for those that move codes its model, opened in the browser. */
import type { ComponentChildren } from 'preact';
import type { ModelFile } from '../../src/runs/index.ts';
import { api, type RunDetail } from './api.ts';
import { type BrowserModel, loadModel } from './model.ts';
import type { Route } from './router.ts';
import { Head, Note, RunTabs, type RunView, runLine, Trouble, useLoaded, Waiting } from './ui.tsx';

/** A view of the run that the address names, under its head and tabs. */
export function WithRun({
  route,
  view,
  children,
}: {
  route: Route;
  view: RunView;
  children: (run: RunDetail) => ComponentChildren;
}) {
  const name = route.path[1];
  const run = useLoaded(() => api.run(name), name);
  if (!run) return <Waiting what={`Opening ${name} …`} />;
  if ('error' in run) return <Trouble error={run.error} />;
  return (
    <>
      <Head title={name} about={runLine(run.value)} />
      <RunTabs name={name} current={view} />
      {children(run.value)}
    </>
  );
}

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
