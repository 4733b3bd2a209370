/** `untangle studio`: serves the web app on this machine until Ctrl-C. */
import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { UntangleError } from '../errors.ts';
import { openStudio, type Studio } from '../studio/index.ts';
import type { StudioFlags } from './model-verbs.ts';
import { print, printJson, say } from './terminal.ts';

export async function studio(runs: string | undefined, flags: StudioFlags): Promise<void> {
  await checkFolder(runs);
  const root = runs ?? 'runs';
  const opened = await openStudio({ root, port: flags.port, dataRoots: flags.dataRoot });
  if (flags.json) printJson({ address: opened.address, port: opened.port, runs: root });
  else print(`The studio is at ${opened.address}`);
  say('Ctrl-C closes it.');
  if (flags.open) openBrowser(opened.address);
  await untilInterrupted(opened);
}

async function checkFolder(runs: string | undefined): Promise<void> {
  const facts = await stat(runs ?? 'runs').catch(() => undefined);
  if (facts?.isDirectory()) return;
  // Without a word about it, the folder is made with the first run.
  if (facts === undefined && runs === undefined) return;
  throw new UntangleError(
    `${facts === undefined ? 'There is no folder' : 'It is not a folder:'} “${runs ?? 'runs'}”.`,
    {
      kind: 'call',
      hint: 'Give the folder that holds the runs, as in: untangle studio runs',
    },
  );
}

/** Waits for Ctrl-C and closes; a second one ends at once. */
async function untilInterrupted(opened: Studio): Promise<void> {
  await new Promise<void>((done) => {
    let isClosing = false;
    const interrupt = () => {
      if (isClosing) process.exit(130);
      isClosing = true;
      const trainings = opened.trainings();
      if (trainings > 0)
        say(
          `\nStopping ${trainings} training${trainings === 1 ? '' : 's'}, with a checkpoint. Ctrl-C again ends at once.`,
        );
      opened.close().then(done, done);
    };
    process.on('SIGINT', interrupt);
    process.on('SIGTERM', interrupt);
  });
  process.exit(0);
}

function openBrowser(address: string): void {
  const [command, ...words] =
    process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open'];
  const child = spawn(command, [...words, address], { detached: true, stdio: 'ignore' });
  child.on('error', () => say(`No browser could be opened; the address is ${address}`));
  child.unref();
}
