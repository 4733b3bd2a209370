/** Which data a page may name: sets by their names, and files in the folders that were given when the studio was started. */
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { builtIn } from '../data/index.ts';
import { Refusal } from './answers.ts';

interface Named {
  data: string | object;
  choice?: { background?: string; dataDir?: string };
}

/** Refuses a request that names data elsewhere, in the same words whether it is there or not. */
export async function checkDataPlaces({ data, choice = {} }: Named, roots: readonly string[]): Promise<void> {
  const homes = await Promise.all(roots.map(realOf));
  for (const spec of [data, choice.background, choice.dataDir]) {
    if (typeof spec !== 'string') continue;
    // Behind a name or a path there may be options, as in mnist:size=32.
    const path = existsSync(spec) ? spec : spec.replace(/:[^:/\\]*$/, '');
    if (spec !== choice.dataDir && Object.hasOwn(builtIn, path)) continue;
    const real = await realOf(path);
    if (homes.some((home) => isWithin(home, real))) continue;
    throw new Refusal(
      403,
      `The studio reads data in ${roots.map((root) => `“${root}”`).join(', ')}, and “${spec.slice(0, 200)}” is not there.`,
      'Start it with --data-root FOLDER for data elsewhere.',
    );
  }
}

/** Where a path leads, or would lead. */
async function realOf(path: string): Promise<string> {
  const whole = resolve(path);
  return await realpath(whole).catch(() => whole);
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
