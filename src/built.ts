/** Finds files that threads and child processes run, which must be built. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { UntangleError } from './errors.ts';

/**
 * A built file by its path under `dist/`: beside this one, or in `dist/` when this one runs from its source.
 *
 * @example new Worker(builtFile('runtime/node/worker.js'))
 */
export function builtFile(path: string): URL {
  const file = new URL(import.meta.url.endsWith('.js') ? path : `../dist/${path}`, import.meta.url);
  if (existsSync(fileURLToPath(file))) return file;
  throw new UntangleError(`dist/${path} is not built.`, { hint: 'Run “npm run build” first.' });
}
