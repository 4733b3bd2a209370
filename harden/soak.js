/**
 * A studio with clients that ask and follow, and trainings one after the other beside it, for minutes or hours: memory and open handles stay
 * flat. Every few seconds a line of numbers goes to `soak.csv` in the folder that it is started in.
 */
import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStudio } from '../dist/studio/index.js';
import { prepareRun, trainRun } from '../dist/training/index.js';
import { room, tell } from './table.js';

/** @param {{ dose?: number }} given `dose` is how many minutes */
export async function attack({ dose = 120 } = {}) {
  const root = mkdtempSync(join(room(), 'untangle-soak-'));
  const studio = await openStudio({ root, port: 0 });
  const headers = { authorization: `Bearer ${studio.key}` };
  const { origin } = new URL(studio.address);
  const stop = new AbortController();
  let answers = 0;
  const client = async () => {
    while (!stop.signal.aborted) {
      try {
        const runs = await (await fetch(`${origin}/api/runs`, { headers, signal: stop.signal })).json();
        if (runs[0]) await (await fetch(`${origin}/api/runs/${runs[0].name}`, { headers, signal: stop.signal })).text();
        answers++;
        await sleep(200, undefined, { signal: stop.signal });
      } catch {
        // A run that is removed while it is asked for, or the end.
      }
    }
  };
  const clients = Array.from({ length: 20 }, client);
  const training = (async () => {
    for (let i = 0; !stop.signal.aborted; i++) {
      const set = ['steps=40', 'network=mlp', 'latents=2', 'batchSize=8'];
      const { run } = await prepareRun({
        method: 'vae',
        data: 'shapes',
        set,
        root,
        name: `soak-${i}`,
        seed: i,
        workers: 1,
      });
      await trainRun(run, { signal: stop.signal });
      rmSync(run.folder, { recursive: true });
      await sleep(50);
    }
  })();
  const marks = [];
  const end = performance.now() + dose * 60_000;
  const every = Math.max(500, (dose * 60_000) / 200);
  writeFileSync('soak.csv', 'seconds,megabytes,handles,answers\n');
  const begun = performance.now();
  while (performance.now() < end) {
    await sleep(every);
    globalThis.gc?.();
    const megabytes = process.memoryUsage.rss() / 2 ** 20;
    const handles = readdirSync('/proc/self/fd').length;
    marks.push({ megabytes, handles });
    appendFileSync(
      'soak.csv',
      `${((performance.now() - begun) / 1000).toFixed(0)},${megabytes.toFixed(1)},${handles},${answers}\n`,
    );
  }
  stop.abort();
  await Promise.allSettled([...clients, training]);
  await studio.close();
  rmSync(root, { recursive: true, force: true });
  // The first half warms up. Of the second, the last third against the first.
  const late = marks.slice(Math.floor(marks.length / 2));
  const third = Math.max(1, Math.floor(late.length / 3));
  const middle = (part, of) => part.map((mark) => mark[of]).sort((a, b) => a - b)[part.length >> 1];
  const grown = (of) => middle(late.slice(-third), of) - middle(late.slice(0, third), of);
  const rows = [
    { what: `handles grew by ${grown('handles')} in the second half`, tried: 1, fine: grown('handles') < 40 ? 1 : 0 },
    { what: 'answers to 20 clients', tried: answers, fine: answers },
  ];
  // Within minutes, programs are still being made faster and caches filled.
  if (dose >= 10)
    rows.push({
      what: `memory grew by ${grown('megabytes').toFixed(1)} MB in the second half`,
      tried: 1,
      fine: grown('megabytes') < 100 ? 1 : 0,
    });
  return tell(`Soak of ${dose} minutes`, rows);
}
