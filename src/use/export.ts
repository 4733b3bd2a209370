/**
 * An export: a trained model in a folder of its own that needs nothing of this program. Encoder and decoder as ONNX files,
 * `model.json`, a model card, and a page with sliders that runs from any static server, with its runtime beside it.
 */
import { cp, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { checkWritable, createFolder, refuseFull, replaceFolder, writeToDisk } from '../disk.ts';
import { UntangleError } from '../errors.ts';
import { builtFile } from '../orders.ts';
import type { Run } from '../runs/index.ts';
import { type ModelFile, readEvaluation, readModelFiles, toJson } from '../runs/index.ts';
import { nodeBackend } from '../runtime/node/index.ts';
import { modelCard } from './model-card.ts';

export interface Exported {
  folder: string;
  /** The files, as paths inside the folder. */
  files: string[];
  model: ModelFile;
}

/**
 * Exports the model of a run into a new folder.
 *
 * @example await exportRun(await findRun('beta-vae-shapes-1'), 'site')
 */
export async function exportRun(run: Run, folder: string): Promise<Exported> {
  const { file: model, decoder, encoder } = await modelOf(run);
  await refuseFull(folder);
  await checkWritable(dirname(folder));
  const card = modelCard({ ...(await facts(run, model)), decoderInputs: await inputsOf(decoder) });

  await createFolder(dirname(folder));
  await replaceFolder(folder, async (fresh) => {
    // As it was read: what a file of an earlier version leaves open is settled.
    await writeToDisk(join(fresh, 'model.json'), `${toJson(model, 2)}\n`);
    await writeToDisk(join(fresh, 'decoder.onnx'), decoder);
    if (encoder) await writeToDisk(join(fresh, 'encoder.onnx'), encoder);
    await writeToDisk(join(fresh, 'README.md'), card);
    await cp(dirname(fileURLToPath(builtFile('export-page/index.html'))), fresh, { recursive: true });
    await writeToDisk(join(fresh, 'page', runtime), await unpackedRuntime());
  });
  const written = await readdir(folder, { recursive: true });
  return { folder, model, files: written.filter((name) => name !== 'page').sort() };
}

/** The card of a run folder that is passed on as it is: to a hub, or into a zoo. */
export async function cardOf(run: Run): Promise<string> {
  const { file: model, decoder } = await modelOf(run);
  const decoderInputs = await inputsOf(decoder);
  return modelCard({ ...(await facts(run, model)), decoderInputs, place: 'run' });
}

async function modelOf(run: Run) {
  const model = await readModelFiles(run.folder);
  if (model !== undefined) return model;
  throw new UntangleError(`The run “${run.name}” has no model yet.`, {
    kind: 'call',
    hint: 'A model is written with the first checkpoint of a training.',
  });
}

async function facts(run: Run, model: ModelFile) {
  return { run, model, evaluation: await readEvaluation(run.folder) };
}

const runtime = 'ort-wasm-simd-threaded.wasm';

/** WebAssembly's runtime, of which the package holds one copy: packed, as the studio sends it. */
async function unpackedRuntime(): Promise<Uint8Array> {
  return await promisify(brotliDecompress)(await readFile(builtFile(`studio-app/ort/${runtime}.br`)));
}

/** The names of the decoder's inputs; opening it also tells now, and not in somebody's browser, whether it is sound. */
async function inputsOf(decoder: Uint8Array): Promise<readonly string[]> {
  const session = await (await nodeBackend()).open(decoder, { threads: 1 });
  const { inputNames } = session;
  await session.close();
  return inputNames;
}
