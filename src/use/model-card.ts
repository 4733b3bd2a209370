/**
 * The model card of an export (Mitchell et al. 2019): what the model is, what it was trained on and how, what was measured, how
 * to load it, and what it can't be trusted with. Markdown, made from the run's files alone.
 */
import { stringify } from 'yaml';
import { builtIn } from '../data/index.ts';
import { markdownTable, plainMarkdown } from '../markdown.ts';
import { methods } from '../methods/index.ts';
import { covariatesInput, covariatesSize, type ModelBlock, tensorShape, usualRows } from '../model/index.ts';
import type { Evaluation, ModelFile, Run } from '../runs/index.ts';

export interface Carded {
  run: Run;
  model: ModelFile;
  evaluation?: Evaluation | undefined;
  /** The blocks that the decoder takes. */
  decoderInputs: readonly string[];
  /** `export`: a folder with the page; `run`: a run folder to be passed on, whose card opens with what a hub reads. */
  place?: 'export' | 'run';
}

export function modelCard(carded: Carded): string {
  const { model, place = 'export' } = carded;
  const isExport = place === 'export';
  return `${[
    ...(isExport ? [] : [frontMatter(carded)]),
    `# ${plainMarkdown(model.title)} on ${plainMarkdown(model.data.name)}`,
    introduction(carded),
    ...['## Code', blocksTable(model)],
    ...['## Training', trainingTable(carded)],
    ...['## Measures', measures(carded)],
    ...(isExport ? ['## The page', pageText] : ['## With untangle', useText(carded)]),
    ...['## In Python', pythonText(model, isExport ? '' : 'model/')],
    ...['## In JavaScript', scriptText(carded)],
    ...['## Limits', limits(model)],
  ].join('\n\n')}\n`;
}

const roles: Record<ModelBlock['role'], string> = {
  shared: 'common to all items',
  salient: 'what the target set adds to the background',
  class: 'the class',
  'class-related': 'factors that belong to a class',
};

const ranges: Record<ModelFile['data']['range'], string> = {
  binary: 'from 0 to 1',
  unit: 'from 0 to 1',
  symmetric: 'from −1 to 1',
  real: 'standardised: a column’s mean is 0, its deviation 1',
};

/** YAML that a hub reads: what library opens it, what it is of, what was learned from, and what was measured. */
function frontMatter({ run, model, evaluation }: Carded): string {
  const { name } = model.data;
  const metrics = (evaluation?.results ?? []).filter(({ score }) => Number.isFinite(score));
  const head = {
    library_name: 'untangle',
    tags: ['disentanglement', 'representation-learning', 'onnx', model.method],
    ...(Object.hasOwn(builtIn, name) && { datasets: [name] }),
    ...(metrics.length > 0 && {
      'model-index': [
        {
          name: run.name,
          results: [
            {
              task: { type: 'feature-extraction', name: 'Disentanglement' },
              dataset: { type: name, name, split: evaluation?.part },
              metrics: metrics.map(({ name: type, title, score }) => ({ type, name: title, value: score })),
            },
          ],
        },
      ],
    }),
  };
  return `---\n${stringify(head).trim()}\n---`;
}

function useText({ run }: Carded): string {
  return `This folder is a run without its checkpoint: put it into \`runs/\`, and everything that looks at a run takes it.

${fenced(
  'sh',
  `untangle picture ${run.name} all                # traversals, reconstructions, samples
untangle export ${run.name} site                # a page with sliders
untangle studio                                 # all of it in a browser
untangle train --from ${run.name}/run.json      # the same training again`,
)}`;
}

function introduction({ run, model, place }: Carded): string {
  const method = Object.hasOwn(methods, model.method) ? methods[model.method] : undefined;
  const paper = method === undefined ? '.' : ` (${method.paper.cite}, ${method.paper.equations}). ${method.summary}`;
  const halves = model.encodes
    ? '`encoder.onnx` takes items to codes, `decoder.onnx` takes codes to items'
    : '`decoder.onnx` takes codes to items; the method has no encoder';
  return `The method is ${model.title}${paper}

- Data: ${plainMarkdown(model.data.name)}, ${itemText(model)}; values ${ranges[model.data.range]}.
- Run: ${plainMarkdown(run.name)}, step ${model.step}, made with untangle ${run.file.versions.untangle ?? '?'}.
- Files: ${halves}, both with any number of rows; \`model.json\` says what their inputs and outputs mean${place === 'run' ? '. They are in `model/`' : '; `index.html` is a page with sliders'}.`;
}

function itemText({ data: { shape } }: ModelFile): string {
  if (shape.kind === 'table')
    return `rows of ${shape.columns.length} encoded columns (\`data.transformation\` in \`model.json\` says how)`;
  return `images of ${shape.width}×${shape.height} pixels with ${shape.channels === 1 ? 'one channel' : `${shape.channels} channels`}`;
}

function blocksTable({ blocks, data }: ModelFile): string {
  const rows = blocks.map((block) => {
    const owner =
      block.class === undefined ? '' : ` (${plainMarkdown(data.classes?.[block.class] ?? `class ${block.class}`)})`;
    const carried =
      block.kl === undefined
        ? '–'
        : `${sum(block.kl).toFixed(2)}, ${block.kl.filter((kl) => kl >= 0.01).length} above 0.01`;
    return [`\`${block.name}\``, block.size, block.kind, `${roles[block.role]}${owner}`, carried];
  });
  return markdownTable(['block', 'size', 'kind', 'role', 'KL in nats on held-out items, and dimensions'], rows);
}

function trainingTable({ run }: Carded): string {
  const { training, options, preset, data } = run.file;
  const { seed, steps, batchSize, optimiser, learningRate } = training;
  const rows: (string | number)[][] = [
    ...Object.entries(options).map(([name, value]) => [name, plain(value)]),
    ...Object.entries({ seed, steps, batchSize, optimiser, learningRate }),
    ...(preset === undefined ? [] : [['preset', preset]]),
    ...(data.target.condition === undefined ? [] : [['items', data.target.condition]]),
    ...(data.background?.condition === undefined ? [] : [['background', data.background.condition]]),
    ...(data.labels === undefined ? [] : [['labels', data.labels]]),
  ];
  const shown = rows.map(([name, value]) => [
    plainMarkdown(`${name}`),
    typeof value === 'number' ? value : plainMarkdown(value),
  ]);
  return markdownTable(['setting', 'value'], [...shown, ['fingerprint of the data', `\`${data.target.fingerprint}\``]]);
}

function measures({ model, evaluation }: Carded): string {
  if (evaluation === undefined || evaluation.results.length === 0)
    return 'Nothing was measured before this export. `untangle evaluate RUN` measures a run; export it again afterwards.';
  const { part, items, step, results } = evaluation;
  const older = step === model.step ? '' : ` of the weights at step ${step}, not ${model.step},`;
  const arrows = { higher: 'higher', lower: 'lower', neither: '–' };
  const rows = results.map(({ title, score, better, version }) => [
    title,
    Number.isFinite(score) ? Number(score.toPrecision(4)) : String(score),
    arrows[better],
    version,
  ]);
  return `Measured${older} on ${items} items of the ${part} part.\n\n${markdownTable(['measure', 'score', 'better', 'version'], rows)}`;
}

const pageText = `\`index.html\` runs by itself: serve this folder with any static server and open it. No network is needed, and nothing
that is dropped on the page leaves the browser.

\`\`\`sh
python3 -m http.server --bind 127.0.0.1 8000     # then http://127.0.0.1:8000
\`\`\``;

function pythonText(model: ModelFile, folder: string): string {
  const { shape } = model.data;
  const sides = tensorShape(shape);
  const start = `import numpy as np
import onnxruntime as ort

decoder = ort.InferenceSession("${folder}decoder.onnx")`;
  if (!model.encodes)
    return fenced(
      'python',
      `${start}
codes = {one.name: np.zeros((7, one.shape[1]), np.float32) for one in decoder.get_inputs()}
(decoded,) = decoder.run(["x"], codes)   # 7 × ${sides.join(' × ')}`,
    );
  return fenced(
    'python',
    `${start}
encoder = ort.InferenceSession("${folder}encoder.onnx")
x = np.zeros((7, ${sides.join(', ')}), np.float32)   # items, in the range above
codes = dict(zip([one.name for one in encoder.get_outputs()], encoder.run(None, {"x": x})))
feeds = {one.name: codes.get(one.name + " mean", codes.get(one.name + " probabilities")) for one in decoder.get_inputs()}${toldText(model)}
(decoded,) = decoder.run(["x"], feeds)   # 7 × ${sides.join(' × ')}`,
  );
}

/** What is fed beside the codes: covariates as in a usual item. */
function toldText({ data: { covariates = [] } }: ModelFile): string {
  if (covariates.length === 0) return '';
  return `\nfeeds["${covariatesInput}"] = np.tile(np.array([${Array.from(usualRows(covariates, 1)).join(', ')}], np.float32), (7, 1))`;
}

function scriptText({ model, decoderInputs, place }: Carded): string {
  const { covariates = [] } = model.data;
  const feeds = [...model.blocks, { name: covariatesInput, size: covariatesSize(covariates) }]
    .filter(({ name }) => decoderInputs.includes(name))
    .map(
      ({ name, size }) =>
        `  ${JSON.stringify(name)}: new ort.Tensor('float32', new Float32Array(${size}), [1, ${size}]),`,
    );
  return fenced(
    'js',
    `import * as ort from ${place === 'run' ? "'onnxruntime-web'; // or onnxruntime-node" : "'./page/ort.wasm.bundle.min.mjs'; // or onnxruntime-web, or onnxruntime-node"}

const decoder = await ort.InferenceSession.create('${place === 'run' ? 'model/' : ''}decoder.onnx');
const { x } = await decoder.run({
${feeds.join('\n')}
});
console.log(x.dims, x.data);`,
  );
}

function limits({ data, blocks }: ModelFile): string {
  const kl = blocks.flatMap((block) => block.kl ?? []);
  const lines = [
    `The model knows ${plainMarkdown(data.name)} alone. It gives codes and pictures for anything, and they mean little for other items.`,
    'Which dimension stands for which factor is found by looking, and differs from one training to the next. Nothing in the method names a dimension, and one may hold several factors, or none.',
    'What a decoder shows is a guess at a typical item, smoother than real ones; it is no evidence about a single item.',
    ...(kl.some((value) => value < 0.01)
      ? [
          `${kl.filter((value) => value < 0.01).length} of ${kl.length} continuous dimensions carry next to nothing (KL below 0.01 nats).`,
        ]
      : []),
    'It repeats whatever was uneven in its data. The licence of the data may also bind what is made from it.',
  ];
  return lines.map((line) => `- ${line}`).join('\n');
}

const fenced = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``;
const plain = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value);
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
