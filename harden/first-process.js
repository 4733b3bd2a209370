/**
 * The first process of a table of its own. Of a claimed run the process is killed as an orphan, which stays in the table as nobody asks for
 * its end; then the run is claimed again.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { claimRun, createRun, readStatus } from '../dist/runs/index.js';
import { settings } from './disk.js';

const { folder } = await createRun(join(process.argv[2], 'unreaped'), settings);
const claiming = `
  import { claimRun } from ${JSON.stringify(new URL('../dist/runs/index.js', import.meta.url).href)};
  await claimRun(${JSON.stringify(folder)});
  setInterval(() => {}, 1000);`;
// The shell ends at once, and its child becomes one of the first process.
spawn('sh', ['-c', '"$0" --input-type=module -e "$1" &', process.execPath, claiming], { stdio: 'ignore' });
let status;
while ((status = await readStatus(folder)) === undefined) await sleep(50);
process.kill(status.pid, 'SIGKILL');
await sleep(300);
const state = /\) (\w) /.exec(readFileSync(`/proc/${status.pid}/stat`, 'utf8'))?.[1];
await claimRun(folder);
console.log(`${state} claimed`);
process.exit(0);
