/** What a code can be: where each block starts, how far its sliders go, and draws from its prior. */

/** Sliders go from the 1 % to the 99 % quantile of the prior: ±2.33 deviations. */
const reach = 2.3263;

/** The class block that decides the prior of `block`, where that has a row for each class. */
export function classOf(block, blocks) {
  if (block.prior === undefined || block.prior.mean.length === 1) return undefined;
  const classes = blocks.filter(({ kind }) => kind === 'categorical');
  const learned = blocks.filter(({ prior }) => prior !== undefined && prior.mean.length > 1);
  const same = classes[learned.indexOf(block)];
  const fits = (one) => one?.size === block.prior.mean.length;
  return fits(same) ? same : classes.find(fits);
}

/** Mean and deviation of the prior of each dimension of a Gaussian block, under the classes that are chosen. */
export function priorOf(block, blocks, codes) {
  const { prior, size } = block;
  if (prior === undefined) return { mean: new Float32Array(size), deviation: new Float32Array(size).fill(1) };
  const decides = classOf(block, blocks);
  const row = decides === undefined ? 0 : largest(codes[decides.name]);
  return {
    mean: Float32Array.from(prior.mean[row], Number),
    deviation: Float32Array.from(prior.logVariance[row], (value) => Math.exp(Number(value) / 2)),
  };
}

/** How far the slider of a dimension goes: the prior's quantiles, and the code itself where that lies outside. */
export function rangeOf({ mean, deviation }, index, value) {
  const low = mean[index] - reach * deviation[index];
  const high = mean[index] + reach * deviation[index];
  return { low: Math.min(low, value), high: Math.max(high, value) };
}

/** The code before anything is moved: first classes, neutral codes, prior means. */
export function startingCodes(blocks) {
  const codes = {};
  for (const block of blocks.filter(({ kind }) => kind === 'categorical'))
    codes[block.name] = oneHot(block.size, block.neutral ? largest(block.neutral.map(Number)) : 0);
  for (const block of blocks.filter(({ kind }) => kind === 'gaussian'))
    codes[block.name] = block.neutral ? Float32Array.from(block.neutral, Number) : priorOf(block, blocks, codes).mean;
  return codes;
}

/** A draw from the prior: a class of each class block, then the Gaussian blocks. */
export function randomCodes(blocks) {
  const codes = {};
  for (const { name, size } of blocks.filter(({ kind }) => kind === 'categorical'))
    codes[name] = oneHot(size, Math.min(size - 1, Math.floor(uniform() * size)));
  for (const block of blocks.filter(({ kind }) => kind === 'gaussian')) {
    const { mean, deviation } = priorOf(block, blocks, codes);
    codes[block.name] = mean.map((value, i) => value + deviation[i] * normal());
  }
  return codes;
}

/** Codes with the most probable class in place of each class block's probabilities. */
export function withChosenClasses(codes, blocks) {
  const chosen = blocks.filter(({ kind }) => kind === 'categorical');
  return {
    ...codes,
    ...Object.fromEntries(chosen.map(({ name, size }) => [name, oneHot(size, largest(codes[name]))])),
  };
}

export function copyOf(codes) {
  return Object.fromEntries(Object.entries(codes).map(([name, values]) => [name, values.slice()]));
}

/** `count` rows of the same codes. */
export function repeated(codes, count) {
  return Object.fromEntries(
    Object.entries(codes).map(([name, values]) => {
      const rows = new Float32Array(values.length * count);
      for (let row = 0; row < count; row++) rows.set(values, row * values.length);
      return [name, rows];
    }),
  );
}

export function oneHot(size, index) {
  const row = new Float32Array(size);
  row[index] = 1;
  return row;
}

/** Where the largest of some values stands. */
export function largest(values) {
  let best = 0;
  for (let i = 1; i < values.length; i++) if (values[i] > values[best]) best = i;
  return best;
}

/** A number in (0, 1). */
function uniform() {
  return (crypto.getRandomValues(new Uint32Array(1))[0] + 0.5) / 2 ** 32;
}

function normal() {
  return Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}
