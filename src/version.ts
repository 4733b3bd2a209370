/** The version of this package and of others, as their package.json says. */
import { readFileSync } from 'node:fs';

const own = new URL('../package.json', import.meta.url);

/** The version of untangle. */
export const version = versionIn(own);

export function versionIn(path: string | URL): string {
  const { version: found }: { version?: unknown } = JSON.parse(readFileSync(path, 'utf8'));
  return typeof found === 'string' ? found : 'unknown';
}
