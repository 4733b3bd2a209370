/** Names that are given from outside: a registry takes what a program or a plugin adds, and keeps what it has. */
import { UntangleError } from './errors.ts';

/**
 * Adds something to a registry under its name. The same thing may come again; another one of that name is an error.
 *
 * @example enrol(methods, 'method', 'free-bits', freeBits)
 */
export function enrol<T>(registry: Record<string, T>, what: string, name: string, one: T): void {
  if (!/^[a-z0-9][a-z0-9-]{0,59}$/.test(name))
    throw new UntangleError(`“${name.slice(0, 100)}” can't be the name of a ${what}.`, {
      kind: 'call',
      hint: 'Use small letters, digits and dashes, with a letter or digit first, as in free-bits.',
    });
  if (Object.hasOwn(registry, name) && registry[name] !== one)
    throw new UntangleError(`There is a ${what} “${name}” already.`, {
      kind: 'call',
      hint: 'Give yours another name.',
    });
  registry[name] = one;
}
