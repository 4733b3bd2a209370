/** The budget “paper” is the paper's: what a paper says of its protocol, and whether a study that departs from it says so. */
import { expect, test } from 'vitest';
import { openData } from '../data/index.ts';
import { methodNamed } from '../methods/index.ts';
import { partData, readSettings, resolveSettings } from '../training/index.ts';
import { studies } from './registry.ts';
import { armRequest, armsOf } from './run-study.ts';
import type { Arm, Aspect, Study } from './study.ts';

/** What a paper says; what is undefined it does not. */
interface Protocol {
  /** Items that are trained on. */
  items?: number;
  epochs?: number;
  steps?: number;
  batch?: number;
  optimiser?: { learningRate: number; beta1?: number; beta2?: number };
  /** Sizes of the blocks by the option that holds them. */
  latents?: Readonly<Record<string, number>>;
  likelihood?: Readonly<Record<string, unknown>>;
  /** Weights and capacities by row; an option that a row's method lacks does not count. */
  weights?: (arm: Arm) => Readonly<Record<string, unknown>>;
  labels?: (arm: Arm) => number | undefined;
  /** Rows that it says this of; all if not given. */
  of?: (arm: Arm) => boolean;
}

const adam = { beta1: 0.9, beta2: 0.999 };
const numberIn = (text: string) => Number(/[\d.]+(?!.*\d)/.exec(text)?.[0]);

/** Kumar et al., section 4: weights, batches and sizes; for CelebA λ_d = 50 λ_od and λ_od = 2 λ_d. */
const dipVae = (diagonal1: number, diagonal2: number, third: number): Protocol['weights'] => {
  return ({ name, method }) => {
    const weight = name === 'VAE' ? 1 : numberIn(name);
    if (method === 'beta-vae') return { beta: weight };
    if (method === 'dip-vae-i') return { lambdaOffDiagonal: weight, lambdaDiagonal: diagonal1 * weight };
    if (method === 'dip-vae-ii')
      return { lambdaOffDiagonal: weight, lambdaDiagonal: diagonal2 * weight, lambdaThird: third };
    return {};
  };
};
const shapes: Protocol = { batch: 400, latents: { latents: 10 }, weights: dipVae(10, 1, 200) };
const faces: Protocol = { batch: 100, latents: { latents: 32 }, weights: dipVae(50, 0.5, 0) };

/** Contrastive objectives, appendix A.3, and λ_z = 1 (section 4.2). */
const contrastive = ({ name, method }: Arm) => ({
  ...(method !== 'srb-vae' && { beta: 2 }),
  ...(method === 'contrastive-w2' && { lambdaZ: name.startsWith('λ_z') ? numberIn(name) : 1 }),
});
const grassy: Protocol = {
  epochs: 200,
  batch: 128,
  optimiser: { learningRate: 1e-3, ...adam },
  weights: contrastive,
};
const capped: Protocol = { latents: { zLatents: 16, sLatents: 6 }, weights: contrastive };
const expressions: Protocol = { weights: contrastive };

/** Ruiz et al., section 5.2. */
const ruiz: Protocol = {
  batch: 36,
  optimiser: { learningRate: 1e-4, beta1: 0.5, beta2: 0.99 },
  likelihood: { likelihood: 'laplace', scale: 0.01 },
  latents: { latents: 32, zLatents: 32, sLatents: 32 },
};
const styled: Protocol = { ...ruiz, items: 60_000, epochs: 30 };
const affectNet: Protocol = { ...ruiz, epochs: 20 };

/** Antorán and Miguel, section IV: β_c = 2, and hardly anything else. */
const antoran: Protocol = {
  items: 60_000,
  weights: ({ method }) => (method === 'n-vae' ? { betaC: 2 } : method === 'beta-vae' ? { beta: 5 } : {}),
};
const yale: Protocol = { weights: antoran.weights };

/** Hajimiri et al., Table 6 and appendix D. */
const sprites: Protocol = {
  items: 737_280,
  epochs: 30,
  batch: 64,
  optimiser: { learningRate: 5e-4, ...adam },
  weights: ({ name, method }) =>
    method === 'parted-vae'
      ? {
          ...{ latents: 5, classLatents: 1, gammaZ: 50, gammaU: 50, gammaC: 100, gammaH: 10, tolerance: 0.1 },
          gammaBc: name.includes('without') ? 0 : 10,
          ...{ capacityZ: 'linear(0,30,300000)', capacityU: 'linear(0,5,300000)' },
        }
      : { latents: 6, ...(method === 'beta-vae' && { beta: 2 }), ...(method === 'factor-vae' && { gamma: 35 }) },
  labels: ({ name }) => (/^\d+ labels/.test(name) ? Number.parseInt(name, 10) : undefined),
};
const digits: Protocol = {
  items: 60_000,
  steps: 60 * Math.ceil(60_000 / 64),
  batch: 64,
  optimiser: { learningRate: 0.0015, ...adam },
  weights: () => ({
    ...{ latents: 6, classLatents: 10, gammaZ: 15, gammaU: 15, gammaC: 15, gammaH: 30, gammaBc: 30, tolerance: 0.15 },
    ...{ capacityZ: 'linear(0,7,100000)', capacityU: 'linear(0,7,100000)' },
  }),
  labels: () => 256,
  of: ({ method }) => method === 'parted-vae',
};
const attributes: Protocol = {
  epochs: 80,
  batch: 64,
  optimiser: { learningRate: 5e-4, ...adam },
  likelihood: { likelihood: 'laplace' },
  weights: ({ name }) => ({
    ...{ latents: 10, classLatents: 1, gammaZ: 1000, gammaU: 1000, gammaC: 2000, gammaH: 10, tolerance: 0.2 },
    gammaBc: name.includes('without') ? 0 : 500,
    ...{ capacityZ: 'linear(0,30,125000)', capacityU: 'linear(0,15,125000)' },
  }),
};

/** By the beginning of a study's name; the longest that fits. */
const protocols: Readonly<Record<string, Protocol>> = {
  'dip-vae-': shapes,
  'dip-vae-table-1-celeba': faces,
  'dip-vae-table-2': faces,
  'dip-vae-figure-2': faces,
  'dip-vae-figure-5': faces,
  'dip-vae-figure-6': { latents: { latents: 32 } },
  'contrastive-': grassy,
  'contrastive-table-1-celeba': capped,
  'contrastive-table-1-affectnet': expressions,
  'contrastive-table-2': expressions,
  'contrastive-figure-7': expressions,
  'contrastive-figure-8': expressions,
  'contrastive-figure-9': expressions,
  'rb-vae-': styled,
  'rb-vae-table-1-affectnet': affectNet,
  'rb-vae-figure-3-affectnet': affectNet,
  'rb-vae-figure-4-affectnet': affectNet,
  'rb-vae-figure-9': affectNet,
  'n-vae-': antoran,
  'n-vae-figure-5-yale': yale,
  'n-vae-figure-8': yale,
  'parted-vae-table-': sprites,
  'parted-vae-figure-9': sprites,
  'parted-vae-256-labels': digits,
  'parted-vae-figure-4': digits,
  'parted-vae-figure-5': digits,
  'parted-vae-figure-6': attributes,
  'parted-vae-figure-7': attributes,
  'parted-vae-figure-8': attributes,
  'parted-vae-figure-10': attributes,
};

function protocolOf(name: string): Protocol {
  const [longest] = Object.keys(protocols)
    .filter((start) => name.startsWith(start))
    .sort((a, b) => b.length - a.length);
  return protocols[longest];
}

/** The items that a row is trained on, where its set is free; `undefined` for those that need files. */
const counts = new Map<string, Promise<number | undefined>>();
const free = ['mnist', 'styled-mnist', 'grassy-mnist', 'dsprites'];
function itemsOf(spec: string, method: string, validation: number): Promise<number | undefined> {
  const key = JSON.stringify([spec, methodNamed(method).needs === 'target+background', validation]);
  const count = async () => {
    if (!free.includes(spec.split(':')[0])) return undefined;
    // A single set is parted alike whatever learns from it.
    const opened = await openData(spec);
    const [set] = opened.kind === 'single' ? [opened.data] : [opened.target];
    return partData({ kind: 'single', data: set }, methodNamed('vae'), { seed: 1, validation }).target.split.train
      .length;
  };
  const known = counts.get(key) ?? count();
  counts.set(key, known);
  return known;
}

/** The aspects in which a row is not the paper's, or that the paper leaves open. */
async function apart(study: Study, arm: Arm, protocol: Protocol): Promise<Set<Aspect>> {
  const found = new Set<Aspect>();
  const request = armRequest(study, { budget: 'paper', jobs: 1 }, arm, 1);
  const method = methodNamed(arm.method);
  const stored = resolveSettings(method, {
    set: request.set ?? [],
    ...(request.preset && { preset: request.preset }),
  });
  const { training } = readSettings(method, stored.options, stored.training);
  if (protocol.of && !protocol.of(arm)) return new Set(['length', 'optimiser']);
  const items = await itemsOf(request.data, arm.method, training.validation);
  if (protocol.items === undefined || (items !== undefined && items !== protocol.items)) found.add('items');
  const { epochs, steps } = protocol;
  if (epochs === undefined && steps === undefined) found.add('length');
  if (epochs !== undefined && training.epochs !== epochs) found.add('length');
  if (steps !== undefined && (training.epochs !== 0 || training.steps !== steps)) found.add('length');
  if (training.batchSize !== protocol.batch) found.add('batch');
  if (protocol.optimiser === undefined || training.optimiser !== 'adam') found.add('optimiser');
  for (const [name, value] of Object.entries(protocol.optimiser ?? {}))
    if (stored.training[name] !== value) found.add('optimiser');
  const check = (aspect: Aspect, values: Readonly<Record<string, unknown>>) => {
    for (const [name, value] of Object.entries(values))
      if (name in method.options && stored.options[name] !== value) found.add(aspect);
  };
  check('latents', protocol.latents ?? {});
  check('likelihood', protocol.likelihood ?? {});
  check('weights', protocol.weights?.(arm) ?? {});
  const labels = protocol.labels?.(arm);
  if (labels !== undefined && arm.labels?.labels !== labels) found.add('labels');
  return found;
}

const papers = Object.values(studies).filter(({ name }) => name !== 'every-method');

test.each(papers.map((study) => [study.name, study] as const))(
  '%s departs from its paper only where it says so',
  async (name, study) => {
    const { arms, departures } = study.budgets.paper;
    const told = new Set(departures.map((departure) => (typeof departure === 'string' ? departure : departure.of)));
    const rows = armsOf(study, arms);
    for (const arm of rows)
      for (const aspect of await apart(study, arm, protocolOf(name)))
        expect([...told], `${arm.name}: ${aspect}`).toContain(aspect);
  },
  120_000,
);

test('rows whose names have a weight train with that weight, at every budget', () => {
  for (const study of papers.filter(({ name }) => name.startsWith('dip-vae-')))
    for (const budget of ['quick', 'standard', 'paper'] as const)
      for (const arm of study.arms) {
        const { set = [] } = armRequest(study, { budget, jobs: 1 }, arm, 1);
        const stored = resolveSettings(methodNamed(arm.method), { set });
        const given = /(?:λ = | )(\d+)\)?$/.exec(arm.name)?.[1];
        if (given === undefined || arm.method === 'vae') continue;
        const weight = arm.method === 'beta-vae' ? stored.options.beta : stored.options.lambdaOffDiagonal;
        expect(weight, `${study.name}, ${arm.name}, ${budget}`).toBe(Number(given));
        expect(stored.training.batchSize).toBe(protocolOf(study.name).batch ?? 100);
      }
});
