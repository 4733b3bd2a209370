/** The studio as the command line starts it, for tests in a browser. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';

export const commandLine = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'main.js');

export interface StartedStudio {
  address: string;
  /** Ends it as Ctrl-C does, or as a kill. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

/** What tests of pages share: one browser, one server, and a fresh page each. */
export interface Shared {
  browser: Browser;
  page: Page;
  address: string;
  /** Where `runs` is. */
  folder: string;
  /** What a page threw or asked for elsewhere. */
  troubles: string[];
  open(hash: string): Promise<void>;
}

/** Starts the studio on the runs in `folder`. */
export async function startStudio(folder: string, port = '0'): Promise<StartedStudio> {
  const server = spawn(process.execPath, [commandLine, 'studio', 'runs', '--port', port, '--json'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
    // A page that was open before a restart stays open.
    env: { ...process.env, UNTANGLE_STUDIO_TOKEN: 'a-key-of-the-tests' },
  });
  const address = await new Promise<string>((resolve, reject) => {
    let text = '';
    server.stdout.on('data', (part: Buffer) => {
      text += part;
      const found = /"address":\s*"([^"]+)"/.exec(text);
      if (found) resolve(found[1]);
    });
    server.on('exit', (code) => reject(new Error(`the studio ended with ${code}`)));
  });
  return {
    address,
    async stop(signal = 'SIGTERM') {
      if (server.exitCode !== null || server.signalCode !== null) return;
      const ended = new Promise((resolve) => server.on('exit', resolve));
      server.kill(signal);
      await ended;
    },
  };
}
