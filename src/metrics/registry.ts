/** Every metric by its name. A new metric is one file and one line here. */
import { enrol } from '../enrol.ts';
import { UntangleError } from '../errors.ts';
import { attributeVector } from './attribute-vector.ts';
import { augmentation } from './augmentation.ts';
import { classAccuracy } from './class-accuracy.ts';
import { clustering } from './clustering.ts';
import { dci } from './dci.ts';
import { elbo } from './elbo.ts';
import { explicitness } from './explicitness.ts';
import { factorVaeScore } from './factor-vae-score.ts';
import { irs } from './irs.ts';
import { kl } from './kl.ts';
import { leakage } from './leakage.ts';
import type { Metric } from './metric.ts';
import { mig } from './mig.ts';
import { migSampled } from './mig-sampled.ts';
import { modularity } from './modularity.ts';
import { linearProbe, regressionProbe, treeProbe } from './probes.ts';
import { reconstruction } from './reconstruction.ts';
import { sap } from './sap.ts';
import { udr } from './udr.ts';
import { unsupervised } from './unsupervised.ts';
import { wasserstein } from './wasserstein.ts';
import { zDiff } from './z-diff.ts';

/** In the order in which they are shown. */
export const metrics: Record<string, Metric> = Object.fromEntries(
  [
    sap,
    zDiff,
    factorVaeScore,
    mig,
    migSampled,
    dci,
    modularity,
    explicitness,
    irs,
    udr,
    unsupervised,
    kl,
    elbo,
    reconstruction,
    clustering,
    classAccuracy,
    linearProbe,
    treeProbe,
    regressionProbe,
    attributeVector,
    leakage,
    wasserstein,
    augmentation,
  ].map((metric) => [metric.name, metric]),
);

/** Gives a metric of one’s own its name while the program runs. @example addMetric(straightness) */
export function addMetric(one: Metric): void {
  const isMetric = typeof one?.name === 'string' && typeof one.score === 'function' && Array.isArray(one.needs);
  if (!isMetric)
    throw new UntangleError('A metric has a name, needs and a function “score”; this is none.', {
      kind: 'call',
      hint: 'docs/adding-a-metric.md shows one.',
    });
  enrol(metrics, 'metric', one.name, one);
}
