/** Trains the run in a folder to its end: what `kill.js` interrupts. */
import { openRun } from '../dist/runs/index.js';
import { trainRun } from '../dist/training/index.js';

await trainRun(await openRun(process.argv[2]));
