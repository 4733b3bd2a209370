// @ts-check
/** Resident memory of a training on two workers, and its growth over many steps; and the time to compile and open. */
import { stream } from '../dist/random/index.js';
import { compile } from '../dist/runtime/index.js';
import { nodeBackend, openTeam } from '../dist/runtime/node/index.js';
import { cases, stepOf } from './models.js';

/** @param {{ json: boolean, options: string[] }} options */
export async function run({ json, options }) {
  const steps = Number(options[0] ?? 2000);
  const one = cases[1];
  const backend = await nodeBackend();
  const started = performance.now();
  const program = await compile(stepOf(one, 2), { backend, workers: 2, team: openTeam });
  const openMs = performance.now() - started;
  const x = stream(1, 'bench')
    .uniforms(one.batch * one.channels * one.side * one.side)
    .map((u) => (u > 0.7 ? 1 : 0));
  let early = 0;
  for (let step = 0; step < steps; step++) {
    const z = stream(1, 'noise', step).normals(one.batch * one.latents);
    await program.step('train', { x, z, 'model learning rate': 1e-4 });
    if (step === Math.min(100, Math.floor(steps / 2))) early = resident();
    if (step % 200 === 0) console.error(`step ${step}: ${resident().toFixed(0)} MB`);
  }
  const result = { name: one.name, steps, openMs, residentMB: resident(), growthMB: resident() - early };
  await program.close();
  if (json) console.log(JSON.stringify(result));
  else
    console.log(
      `${one.name}: opened in ${openMs.toFixed(0)} ms, ${result.residentMB.toFixed(0)} MB after ${steps} steps, ${result.growthMB.toFixed(1)} MB more than after 100`,
    );
}

function resident() {
  return process.memoryUsage().rss / 1e6;
}
