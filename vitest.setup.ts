import { spawnSync } from 'node:child_process';
import type { TestProject } from 'vitest/node';

/**
 * Worker threads, processes and the command line run from `dist/`, so what is stale of it is built once before the tests. While
 * watching, or with UNTANGLE_SKIP_BUILD, it is only said what is stale.
 */
export default function setup({ config }: TestProject) {
  const isKept = config.watch || process.env.UNTANGLE_SKIP_BUILD;
  const { status } = spawnSync(process.execPath, ['tools/build.js', ...(isKept ? ['--check'] : [])], {
    stdio: 'inherit',
  });
  if (!isKept && status !== 0) throw new Error('dist/ could not be built.');
}
