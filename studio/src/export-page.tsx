/** The page of an export: the mixer on the model that lies beside it, with nothing behind it but a static server. */
import { render } from 'preact';
import type { ModelFile } from '../../src/runs/index.ts';
import { Mixer } from './mixer.tsx';
import { loadModel } from './model.ts';
import { asError, Toast } from './said.tsx';
import './ui.css';
import './export-page.css';

const part = (id: string): HTMLElement => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no “${id}”.`);
  return found;
};

async function open(): Promise<void> {
  const file: ModelFile = JSON.parse(await (await fetched('model.json')).text(), numberOf);
  const model = await loadModel(file, async (name) => new Uint8Array(await (await fetched(name)).arrayBuffer()), {
    // The JavaScript half of the runtime lies beside this script; naming the other half alone keeps it from being looked for.
    wasm: new URL('page/ort-wasm-simd-threaded.wasm', document.baseURI).href,
  });
  document.title = `${file.title} on ${file.data.name}`;
  part('title').textContent = document.title;
  part('about').textContent =
    `Each slider is one number of the model’s code, from the 1 % to the 99 % quantile of its prior. Trained for ${file.step} steps.`;
  part('encoder-link').hidden = !file.encodes;
  render(
    <>
      <Mixer model={model} />
      <Toast />
    </>,
    part('mixer'),
  );
  part('status').hidden = true;
}

async function fetched(name: string): Promise<Response> {
  const response = await fetch(name);
  if (response.ok) return response;
  throw new Error(`${name} could not be loaded (${response.status}).`);
}

/** JSON has no −0, which a file of the run folder spells. */
const numberOf = (_: string, value: unknown) => (value === '-0' ? 0 : value);

open().catch((error) => {
  part('status').textContent = `This model could not be loaded: ${asError(error).message}`;
});
