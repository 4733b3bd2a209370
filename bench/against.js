// @ts-check
/** Two revisions' training steps in turns: what became faster or slower beyond noise. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { start } from './programs.js';
import { alternate } from './rounds.js';
import { figure, ratios, show } from './spread.js';

const root = new URL('..', import.meta.url).pathname;

/**
 * Each revision trains its own networks in a process of its own. Slower is what has its whole interval above 1, in time and in
 * processor time both: a busy neighbour lengthens the one, but hardly the other.
 *
 * @param {string} revision @param {readonly import('./models.js').Case[]} wanted
 * @param {{ seconds: number, turnMs: number, json: boolean }} how
 */
export async function against(revision, wanted, { seconds, turnMs, json }) {
  const { folder, close } = checkOut(revision);
  const program = new URL('ours.js', import.meta.url).pathname;
  const [now, before] = [root, folder].map((where) => start(process.execPath, [program, where]));
  const networks = [];
  for (const { name } of wanted) {
    console.error(`measuring ${name} …`);
    const opened = await now.ask({ open: name });
    if ((await before.ask({ open: name })).unknown) continue;
    /** @type {{ wall: number[], cpu: number[] }[]} */
    const [fresh, old] = [0, 1].map(() => ({ wall: [], cpu: [] }));
    const turns = [
      [now, fresh],
      [before, old],
    ].map(([asked, kept]) => async () => {
      const { times, cpu } = await /** @type {typeof now} */ (asked).ask({ time: turnMs });
      const { wall, cpu: all } = /** @type {typeof fresh} */ (kept);
      wall.push(figure(times).median);
      all.push(cpu);
    });
    const both = () => [ratios(fresh.wall, old.wall), ratios(fresh.cpu, old.cpu)];
    const { rounds, settled } = await alternate(turns, both, { seconds });
    const [wall, cpu] = both().map(figure);
    const is = (/** @type {(one: typeof wall) => boolean} */ holds) => holds(wall) && holds(cpu);
    const verdict = is(({ interval }) => interval[0] > 1)
      ? 'slower'
      : is(({ interval }) => interval[1] < 1)
        ? 'faster'
        : 'no difference beyond noise';
    networks.push({ name, rounds, settled, openMs: opened.openMs, ms: figure(fresh.wall), wall, cpu, verdict });
    if (!json)
      console.log(
        `${name}: ${show(figure(fresh.wall))} ms; time × ${show(wall, 3)}, processor time × ${show(cpu, 3)}: ${verdict}${settled ? '' : ' (NOT settled within ±5 %)'}`,
      );
  }
  now.close();
  before.close();
  close();
  if (json) console.log(JSON.stringify({ revision, networks }));
}

/** A revision, built in a folder of its own with the packages of this one. @param {string} revision */
function checkOut(revision) {
  const folder = join(mkdtempSync(join(tmpdir(), 'untangle-bench-')), 'before');
  const git = (/** @type {string[]} */ ...words) =>
    execFileSync('git', words, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  git('worktree', 'add', '--detach', folder, revision);
  const close = () => {
    git('worktree', 'remove', '--force', folder);
    rmSync(join(folder, '..'), { recursive: true, force: true });
  };
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    console.error(`building ${revision} …`);
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'], {
      cwd: folder,
    });
    if (!existsSync(join(folder, 'dist/index.js'))) throw new Error(`${revision} gives no dist/index.js.`);
  } catch (error) {
    close();
    throw error;
  }
  return { folder, close };
}
