// @ts-check
/** `npm run bench -- NAME [--json]`: ours beside PyTorch or scikit-learn, alternating in one run. */
const benches = {
  step: () => import('./step.js'),
  metrics: () => import('./metrics.js'),
  data: () => import('./data.js'),
  memory: () => import('./memory.js'),
  w2: () => import('./w2.js'),
  'sweep-crashes': () => import('./sweep-crashes.js'),
  'sweep-scale': () => import('./sweep-scale.js'),
  'sweep-asha': () => import('./sweep-asha.js'),
  'contrast-null': () => import('./contrast-null.js'),
};
const [name, ...rest] = process.argv.slice(2);
if (!(name in benches)) {
  console.error(`There is no bench “${name ?? ''}”. Known: ${Object.keys(benches).join(', ')}.`);
  process.exit(2);
}
const { run } = await benches[/** @type {keyof typeof benches} */ (name)]();
await run({ json: rest.includes('--json'), options: rest.filter((word) => word !== '--json') });
process.exit(0);
