/**
 * Codes written back into AnnData's file, where scanpy goes on: `obsm["untangle_z"]` holds the codes of each cell, and
 * `varm["untangle_z"]` the correlation of each gene with each dimension of the code.
 */
import { addToH5ad, isH5ad } from '../data/index.ts';
import { UntangleError } from '../errors.ts';
import { itemSize } from '../model/index.ts';
import type { Run } from '../runs/index.ts';
import { encodeItems } from './encode-items.ts';
import { type ChosenItems, type DataRequest, dataForModel } from './model-data.ts';
import { type BlockCodes, type TrainedModel, withModel } from './trained-model.ts';

const piece = 1024;

/** Encodes every cell of a file into a copy of it. @example await encodeToH5ad('runs/…', 'coded.h5ad', { data: 'cells.h5ad' }) */
export async function encodeToH5ad(run: Run | string, path: string, request: DataRequest) {
  const { data: source, part, choice = {}, onProgress = () => {} } = request;
  if (source === undefined || !isH5ad(source))
    throw new UntangleError(`Codes are written into ${path} beside the cells of an .h5ad file, and none is named.`, {
      kind: 'call',
      hint: 'As in: untangle encode RUN cells.h5ad --out coded.h5ad',
    });
  if (part !== undefined || choice.where !== undefined || choice.background !== undefined)
    throw new UntangleError('Every cell of an .h5ad file gets its code: conditions and parts would leave gaps.', {
      kind: 'call',
    });
  return await withModel(run, async (model, opened) => {
    const { target } = await dataForModel(opened, model.file, request);
    const codes = await encodeItems(model, target.data, target.items, (done) =>
      onProgress(done / target.items.length, 'encoding'),
    );
    const { transformation } = model.file.data;
    await addToH5ad(source, path, {
      obsm: byName(codes, ({ block, values }) => ({ width: block.size, values })),
      varm: byName(codes, (code) => ({ width: code.block.size, values: correlations(model, target, code) })),
      genes: transformation?.columns.map(({ name }) => name) ?? [],
    });
    return { files: { codes: path }, model: model.file, data: target.data.name, items: target.items.length };
  });
}

function byName<T>(codes: readonly BlockCodes[], of: (code: BlockCodes) => T): Record<string, T> {
  return Object.fromEntries(codes.map((code) => [`untangle_${code.block.name}`, of(code)]));
}

/** The correlation of each column with each dimension, over all items, piece by piece. */
function correlations({ file }: TrainedModel, { data, items }: ChosenItems, { block: { size }, values }: BlockCodes) {
  const d = itemSize(file.data.shape);
  const n = items.length;
  const sums = {
    x: new Float64Array(d),
    xx: new Float64Array(d),
    z: new Float64Array(size),
    zz: new Float64Array(size),
  };
  const products = new Float64Array(d * size);
  for (let start = 0; start < n; start += piece) {
    const chosen = items.subarray(start, start + piece);
    const x = data.gather(chosen);
    for (let i = 0; i < chosen.length; i++) {
      const z = values.subarray((start + i) * size, (start + i + 1) * size);
      for (let k = 0; k < size; k++) {
        sums.z[k] += z[k];
        sums.zz[k] += z[k] ** 2;
      }
      for (let j = 0; j < d; j++) {
        const value = x[i * d + j];
        sums.x[j] += value;
        sums.xx[j] += value ** 2;
        for (let k = 0; k < size; k++) products[j * size + k] += value * z[k];
      }
    }
  }
  const deviation = (sum: number, squares: number) => Math.sqrt(Math.max(0, squares / n - (sum / n) ** 2));
  return Float32Array.from(products, (product, e) => {
    const [j, k] = [Math.floor(e / size), e % size];
    const both = deviation(sums.x[j], sums.xx[j]) * deviation(sums.z[k], sums.zz[k]);
    return both > 0 ? (product / n - (sums.x[j] / n) * (sums.z[k] / n)) / both : 0;
  });
}
