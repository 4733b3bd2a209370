/**
 * Ordinary troubles of a machine (a full disk, a folder of somebody else, too many open files) as sentences for people: one table
 * from the system's name of an error to what it means and what to do.
 */
import { UntangleError } from './errors.ts';

interface Trouble {
  /** What is wrong with the thing in question, such as “x.png”. */
  sentence(thing: string): string;
  hint: string;
  /** Every other piece of work on this machine would meet it, too. */
  isOfTheMachine?: true;
}

const noRight: Trouble = {
  sentence: (thing) => `The right to ${thing} is missing`,
  hint: 'Ask whoever owns it for the right (chmod, chown), or name another folder.',
  isOfTheMachine: true,
};
const full: Trouble = {
  sentence: (thing) => `The disk is full: there is no room left for ${thing}`,
  hint: 'Make room, or name a folder on another disk; then go on where it stopped.',
  isOfTheMachine: true,
};
const tooManyFiles: Trouble = {
  sentence: (thing) => `Too many files are open at once: ${thing} can’t be opened`,
  hint: 'Allow more with “ulimit -n 4096”, or close what else is running.',
  isOfTheMachine: true,
};
const gone: Trouble = {
  sentence: (thing) => `${thing} is not there`,
  hint: 'Look at the spelling, and whether something removed it meanwhile.',
};

const troubles: Record<string, Trouble> = {
  EACCES: noRight,
  EPERM: { ...noRight, isOfTheMachine: undefined },
  EROFS: {
    sentence: (thing) => `${thing} lies on a disk that can only be read`,
    hint: 'Name a folder that can be written to.',
    isOfTheMachine: true,
  },
  ENOSPC: full,
  EDQUOT: { ...full, sentence: (thing) => `Your share of the disk is used up: there is no room left for ${thing}` },
  EFBIG: { ...full, sentence: (thing) => `${thing} would be larger than files may be here` },
  EMFILE: tooManyFiles,
  ENFILE: tooManyFiles,
  EIO: {
    sentence: (thing) => `The disk failed at ${thing}`,
    hint: 'The system’s log (dmesg) says more; what is on that disk should be copied elsewhere.',
    isOfTheMachine: true,
  },
  ENOENT: gone,
  ENOTDIR: { ...gone, sentence: (thing) => `${thing} needs a folder where there is a file` },
  EISDIR: {
    sentence: (thing) => `${thing} is a folder, and a file is wanted there`,
    hint: 'Name a file.',
  },
  ENETUNREACH: {
    sentence: (thing) => `${thing} can’t be reached`,
    hint: 'Look at the network and the address; then go on where it stopped.',
    isOfTheMachine: true,
  },
  ENAMETOOLONG: { sentence: (thing) => `The name of ${thing} is too long`, hint: 'Give a shorter name.' },
  ELOOP: { sentence: (thing) => `${thing} is a link that leads back to itself`, hint: 'Name what it should lead to.' },
};

/**
 * The sentence for an error of the operating system; undefined for any other error. The system's name stays readable in the
 * message and as `code`.
 *
 * @param path what was worked on, where the error itself doesn't say it or names a file that nobody knows
 * @example troubleOf(await mkdir('/proc/x').catch((error) => error))?.message
 */
export function troubleOf(error: unknown, path = pathOf(error)): UntangleError | undefined {
  if (error instanceof UntangleError) return undefined;
  const code = codeOf(error);
  if (!Object.hasOwn(troubles, code)) return undefined;
  const { sentence, hint } = troubles[code];
  const text = sentence(path === undefined ? 'a file' : `“${path}”`);
  return new UntangleError(`${text.replace(/^./, (letter) => letter.toUpperCase())} (${code}).`, {
    hint,
    kind: code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR' ? 'call' : 'work',
    code,
    cause: error,
  });
}

/** Trouble of the machine, not of the work that met it: all other work would meet it too. */
export const isOfTheMachine = (error: unknown): boolean => {
  const code = codeOf(error);
  return Object.hasOwn(troubles, code) && troubles[code].isOfTheMachine === true;
};

/** The operating system's name for an error; an empty text where it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function pathOf(error: unknown): string | undefined {
  return error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : undefined;
}
