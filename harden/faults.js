/** A library that is preloaded into a process and fails, kills or lies at its n-th change of files; built once by gcc. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

let built;

function library() {
  if (built) return built;
  built = join(mkdtempSync(join(tmpdir(), 'untangle-fault-')), 'fault.so');
  const source = fileURLToPath(new URL('fault.c', import.meta.url));
  execFileSync('gcc', ['-shared', '-fPIC', '-O1', '-o', built, source, '-ldl']);
  return built;
}

/**
 * Runs a program of this folder with a fault under `under`, and tells how it ended.
 *
 * @example await withFault('steps.js', [folder], { under: folder, call: 'rename', at: 3, how: 'kill' })
 */
export function withFault(program, words, { under, call = 'any', at = 0, how, count }) {
  const child = spawn(process.execPath, [fileURLToPath(new URL(program, import.meta.url)), ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      LD_PRELOAD: library(),
      FAULT_UNDER: under,
      FAULT_CALL: call,
      FAULT_AT: `${at}`,
      FAULT_HOW: how,
      ...(count && { FAULT_COUNT: count }),
    },
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (err += chunk));
  return new Promise((done) => child.on('close', (code, signal) => done({ code, signal, out, err })));
}
