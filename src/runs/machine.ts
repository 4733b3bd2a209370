/** Where a run is made, and by which versions: with the same seed, threads and machine, a run gives the same weights. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, cpus } from 'node:os';

export function thisMachine(): { platform: string; cpu: string; cores: number } {
  return {
    platform: `${process.platform}-${process.arch}`,
    cpu: cpus()[0]?.model.trim() || 'unknown',
    cores: availableParallelism(),
  };
}

export function theseVersions(): { untangle: string; node: string; onnxruntime: string } {
  const require = createRequire(import.meta.url);
  return {
    untangle: versionIn(new URL('../../package.json', import.meta.url)),
    node: process.versions.node,
    onnxruntime: versionIn(require.resolve('onnxruntime-node/package.json')),
  };
}

function versionIn(path: string | URL): string {
  const { version }: { version?: unknown } = JSON.parse(readFileSync(path, 'utf8'));
  return typeof version === 'string' ? version : 'unknown';
}
