/** The real command line, for tests that use it as a person would. */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';

/** What `untangle` is, once built. */
export const main = resolve(import.meta.dirname, '../../../dist/cli/main.js');

export interface Outcome {
  code: number;
  out: string;
  err: string;
}

/** Runs a command in a folder and waits for its end. */
export function untangleIn(folder: string, ...words: string[]): Promise<Outcome> {
  return started(folder, words, {});
}

/** The same as somebody without the rights of the machine's owner, for whom a file's rights count. */
export function untangleAsGuest(folder: string, ...words: string[]): Promise<Outcome> {
  const nobody = 65534;
  return started(folder, words, process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {});
}

function started(cwd: string, words: string[], user: { uid?: number; gid?: number }): Promise<Outcome> {
  return new Promise((done) => {
    execFile(process.execPath, [main, ...words], { cwd, maxBuffer: 1e8, ...user }, (error, out, err) => {
      done({ code: error === null ? 0 : Number(error.code), out, err });
    });
  });
}
