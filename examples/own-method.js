// @ts-check
/**
 * A method of your own: an objective on the VAE's model, trained in memory on the built-in `shapes`.
 *
 *   node examples/own-method.js [STEPS]
 *
 * The objective has “free bits” (Kingma et al. 2016, on inverse autoregressive flow): up to `nats` of KL cost nothing in each
 * dimension, so that none is pressed to zero early on. It pays Σ_j max(nats, KL_j), with KL_j averaged over the batch.
 */
import { data, methods, objectives, options, runtime, tensor, training } from 'untangle';

const freeBits = methods.vaeMethod({
  name: 'free-bits',
  title: 'VAE with free bits',
  summary: 'Up to some nats of KL in each dimension are free.',
  paper: { cite: 'Kingma et al. 2016', equations: 'the objective with free bits' },
  options: { nats: options.number('KL in each dimension that costs nothing', { default: 0.5, min: 0 }) },
  objective({ posterior, reconstruction }, { nats }) {
    const ofDimensions = objectives.klToStandardNormal(posterior).mean(0);
    const paid = tensor.maximum(ofDimensions, nats).sum();
    return { minimises: reconstruction.plus(paid), terms: { paid } };
  },
});

const seed = 1;
const settings = training.resolveSettings(freeBits, {
  set: ['latents=6', 'learningRate=1e-3', 'nats=linear(1,0.2,400)'],
});
const values = training.readSettings(freeBits, settings.options, settings.training);
const parted = training.partData(await data.openData('shapes'), freeBits, { seed, validation: 0.1 });
const session = await training.Session.open(freeBits, parted, values.options, {
  training: values.training,
  seed,
  workers: 1,
  threads: 2,
  backend: await runtime.nodeBackend(),
  team: runtime.openTeam,
});
const steps = Number(process.argv[2] ?? 600);
for (let step = 1; step <= steps; step++) {
  const terms = await session.step();
  if (step % 50 === 0 || step === steps)
    console.log(
      `step ${step}  ${Object.entries(terms)
        .map(([name, value]) => `${name} ${value.toFixed(2)}`)
        .join('  ')}`,
    );
}
const watched = await session.validationTerms();
console.log(`held out: reconstruction ${watched?.reconstruction.toFixed(2)}, KL ${watched?.kl.toFixed(2)}`);
await session.close();
