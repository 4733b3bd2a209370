// @ts-check
/**
 * `node bench/ours.js ROOT`: training steps of the revision that is built in ROOT, by its own networks. Answers lines of JSON:
 * {"open": name} with the time to open and the memory, {"time": ms} with milliseconds a step and of all cores, and
 * {"product": ms} with operations a second of a large product.
 */
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const root = pathToFileURL(`${process.argv[2]}/`);
const { cases, stepOf } = await import(new URL('bench/models.js', root).href);
const { stream } = await import(new URL('dist/random/index.js', root).href);
const { compile, nodeBackend, openTeam } = await import(new URL('dist/runtime/node/index.js', root).href);
const { input, matmul } = await import(new URL('dist/tensor/index.js', root).href);

const warm = 2;
const fewest = 3;
const side = 1024;
/** @type {any} */
let program;
/** @type {any} */
let one;
/** @type {any} */
let large;
let steps = 0;

for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line);
  const answer =
    order.open !== undefined
      ? await open(order.open)
      : order.time !== undefined
        ? await time(order.time)
        : await product(order.product);
  console.log(JSON.stringify(answer));
}
await program?.close();
process.exit(0);

/** @param {string} name */
async function open(name) {
  await program?.close();
  one = cases.find((/** @type {any} */ known) => known.name === name);
  if (one === undefined) return { unknown: true };
  const begun = performance.now();
  program = await compile(stepOf(one, 2), { backend: await nodeBackend(), workers: 2, team: openTeam });
  const openMs = performance.now() - begun;
  await time(0);
  return { openMs, residentMB: process.memoryUsage().rss / 1e6 };
}

/** @param {number} ms */
async function time(ms) {
  const x = stream(1, 'bench')
    .uniforms(one.batch * one.channels * one.side * one.side)
    .map((/** @type {number} */ u) => (u > 0.7 ? 1 : 0));
  const times = [];
  let cpu = process.cpuUsage();
  const until = performance.now() + ms;
  for (let i = 0; i < warm + fewest || performance.now() < until; i++) {
    const z = stream(1, 'noise', steps++).normals(one.batch * one.latents);
    if (i === warm) cpu = process.cpuUsage();
    const begun = performance.now();
    await program.step('train', { x, z, 'model learning rate': 1e-4 });
    if (i >= warm) times.push(performance.now() - begun);
  }
  const { user, system } = process.cpuUsage(cpu);
  return { times, cpu: (user + system) / 1000 / times.length };
}

/** Only the mean of the product comes back, so that no copy is measured. @param {number} ms */
async function product(ms) {
  large ??= await compile(
    {
      parameters: [],
      functions: { product: { mean: matmul(input('a', [side, side]), input('b', [side, side])).mean() } },
    },
    { backend: await nodeBackend(), threads: 2 },
  );
  const a = stream(1, 'sgemm').normals(side * side);
  const times = [];
  const until = performance.now() + ms;
  for (let i = 0; i < 1 + fewest || performance.now() < until; i++) {
    const begun = performance.now();
    await large.run('product', { a, b: a });
    if (i > 0) times.push(performance.now() - begun);
  }
  return { rates: times.map((taken) => (2 * side ** 3) / (taken / 1000)) };
}
