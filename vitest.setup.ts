import { execFileSync } from 'node:child_process';

/** Builds `dist/` once, since worker threads and the command line are started from the built files. */
export default function setup() {
  if (process.env.UNTANGLE_SKIP_BUILD) return;
  execFileSync(process.execPath, ['tools/build.js'], { stdio: 'inherit' });
}
