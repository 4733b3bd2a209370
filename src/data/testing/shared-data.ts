/** Finds the data that tests use but the project does not ship. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The folder `name` under `UNTANGLE_DATA` or `../shared/data`, or undefined where it is not there. */
export function sharedData(name: string): string | undefined {
  const root = process.env.UNTANGLE_DATA ?? resolve(import.meta.dirname, '../../../../shared/data');
  const folder = join(root, name);
  return existsSync(folder) ? folder : undefined;
}
