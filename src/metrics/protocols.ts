/** Presets: which metrics with which options a paper or library measures by, so that numbers can be set beside theirs. */
import { unknownName } from '../errors.ts';

export interface Protocol {
  title: string;
  /** The metrics in order, each with the options that differ from its defaults. */
  metrics: Record<string, Record<string, unknown>>;
}

export const protocols: Record<string, Protocol> = {
  'disentanglement-lib': {
    title: 'disentanglement_lib’s study (Locatello et al., 2019)',
    metrics: {
      'z-diff': { classifier: 'logistic-liblinear', batch: 64, train: 10000, test: 5000 },
      'factor-vae': { batch: 64, train: 10000, test: 5000, varianceRows: 10000, pruneStd: 0.05 },
      mig: { rows: 10000, bins: 20 },
      dci: { train: 10000, test: 5000 },
      modularity: { rows: 10000, bins: 20 },
      explicitness: { train: 10000, test: 5000 },
      sap: { form: 'linear-svc', train: 10000, test: 5000, c: 0.01 },
      irs: { rows: 10000, bins: 20, quantile: 0.99 },
      unsupervised: { rows: 10000, bins: 20 },
    },
  },
  'dip-vae': {
    title: 'DIP-VAE (Kumar et al., 2018), Tables 1 and 2',
    metrics: {
      'z-diff': { classifier: 'svm-hinge', c: 0.01 },
      sap: { form: 'kumar', regressAbove: 5, inactiveStd: 0.01 },
      'attribute-vector': {},
      reconstruction: {},
    },
  },
  'parted-vae': {
    title: 'PartedVAE (Hajimiri et al., 2021), as its own code measures',
    metrics: {
      'factor-vae': { protocol: 'parted-vae', batch: 100, pruneStd: 0.1 },
      sap: { form: 'linear-svc', train: 20000, test: 5000, c: 0.01 },
      'class-accuracy': {},
    },
  },
};

/** The protocol of a name, or an error that names the nearest. */
export function protocolOf(name: string): Protocol {
  if (!Object.hasOwn(protocols, name)) throw unknownName('protocol', name, Object.keys(protocols));
  return protocols[name];
}
