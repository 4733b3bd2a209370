/** Where a run is made, and by which versions: with the same seed, threads and machine, a run gives the same weights. */
import { createRequire } from 'node:module';
import { availableParallelism, cpus } from 'node:os';
import { version, versionIn } from '../version.ts';

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
    untangle: version,
    node: process.versions.node,
    onnxruntime: versionIn(require.resolve('onnxruntime-node/package.json')),
  };
}
