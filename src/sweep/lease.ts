/**
 * The right to work on a trial. Each lease has an epoch, one above the last, and its file can be made only once; who holds an
 * epoch works in a folder of that epoch, so that one who was thought dead and wakes up later writes where nobody looks. A lease is
 * thought dead when its file has not changed for a while by the watcher's own clock: no two clocks are ever compared.
 */
import { hostname } from 'node:os';
import { z } from 'zod';
import { codeOf } from '../errno.ts';
import type { Store } from './store/store.ts';

const leaseSchema = z.object({
  host: z.string(),
  pid: z.int(),
  /** Grows while the holder lives. */
  beat: z.int(),
  /** The holder has given it back. */
  isOver: z.boolean(),
});
type LeaseFile = z.infer<typeof leaseSchema>;

export interface Lease {
  epoch: number;
  /** Tells that the holder lives; false if somebody has taken the trial over since. */
  beat(): Promise<boolean>;
  /** Gives the trial back. */
  end(): Promise<void>;
}

/** What one process has seen of leases. */
export interface LeaseWatch {
  /** Milliseconds between two beats of a lease: four in the time after which a silent one is dead. */
  readonly beatEvery: number;
  /** The epoch under which a trial is being worked on, if it is; `names` are the files of its folder. */
  holding(folder: string, names: readonly string[]): Promise<number | undefined>;
  /** Takes the trial, unless somebody else holds it. */
  take(folder: string): Promise<Lease | undefined>;
}

/**
 * Watches and takes leases in a store.
 *
 * @param seconds after which a silent lease counts as dead
 * @param now a clock that never goes back, in milliseconds
 */
export function watchLeases(store: Store, seconds: number, now: () => number = () => performance.now()): LeaseWatch {
  const seen = new Map<string, { text: string; at: number }>();

  async function holding(folder: string, names: readonly string[]): Promise<number | undefined> {
    const epoch = newestEpoch(names);
    if (epoch === 0) return undefined;
    const path = leasePath(folder, epoch);
    const bytes = await store.read(path);
    const text = bytes === undefined ? '' : new TextDecoder().decode(bytes);
    const lease = parsed(text);
    if (lease?.isOver || (lease && isDeadHere(lease))) return undefined;
    const before = seen.get(path);
    if (before?.text !== text) {
      seen.set(path, { text, at: now() });
      return epoch;
    }
    return now() - before.at < seconds * 1000 ? epoch : undefined;
  }

  async function take(folder: string): Promise<Lease | undefined> {
    const names = await store.list(folder);
    if ((await holding(folder, names)) !== undefined) return undefined;
    const epoch = newestEpoch(names) + 1;
    const mine: LeaseFile = { host: hostname(), pid: process.pid, beat: 0, isOver: false };
    const write = () => store.write(leasePath(folder, epoch), encoded(mine));
    if (!(await store.create(leasePath(folder, epoch), encoded(mine)))) return undefined;
    return {
      epoch,
      async beat() {
        mine.beat++;
        if ((await store.read(leasePath(folder, epoch + 1))) !== undefined) return false;
        await write();
        return true;
      },
      async end() {
        mine.isOver = true;
        await write();
      },
    };
  }
  return { beatEvery: (1000 * seconds) / 4, holding, take };
}

/** The epoch of the newest lease among a trial's files; 0 if it never had one. */
export function newestEpoch(names: readonly string[]): number {
  return Math.max(0, ...names.map((name) => Number(/^lease-(\d+)\.json$/.exec(name)?.[1] ?? 0)));
}

const leasePath = (folder: string, epoch: number) => `${folder}/lease-${epoch}.json`;

const encoded = (file: LeaseFile) => new TextEncoder().encode(`${JSON.stringify(file)}\n`);

/** A file that is cut off or of another make is watched for changes like any other. */
function parsed(text: string): LeaseFile | undefined {
  try {
    return leaseSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** A process of this machine that has ended is known to be dead at once; others by their silence. */
function isDeadHere({ host, pid }: LeaseFile): boolean {
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
}
