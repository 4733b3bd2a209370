/**
 * Whether a process still lives. Its number alone does not tell: numbers are given again, and one that has ended stays in the
 * table as long as nobody asks for its end, as in a container whose first process does not.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { codeOf } from './errno.ts';

/**
 * What tells a process from every other one of the same number: the machine's start, the table that the number is from, and
 * when the process began. Undefined where the system does not say it.
 *
 * @example birthOf(process.pid) // '0f3c…|pid:[4026531836]|8127351'
 */
export function birthOf(pid: number): string | undefined {
  const facts = factsOf(pid);
  const here = tableOfNumbers();
  return facts === undefined || here === undefined ? undefined : `${here}|${facts.begun}`;
}

/**
 * Whether a process is there and at work; with its birth, whether it is that one and no later one of the same number. Undefined
 * where the number is from another table than ours, such as another container's.
 */
export function isAlive(pid: number, birth?: string): boolean | undefined {
  const here = tableOfNumbers();
  if (birth !== undefined && here !== undefined && !birth.startsWith(`${here}|`)) return undefined;
  const facts = factsOf(pid);
  // Where others’ processes are hidden, only the number is left to ask about.
  if (facts === undefined) return isThere(pid);
  // Z has ended and was not asked about yet; X is about to go.
  if (facts.state === 'Z' || facts.state === 'X') return false;
  return birth === undefined || here === undefined || birth === `${here}|${facts.begun}`;
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** State and time of beginning from Linux's table; what stands before them is in brackets and may hold anything. */
function factsOf(pid: number): { state: string; begun: string } | undefined {
  const text = textOf(`/proc/${pid}/stat`);
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields === undefined ? undefined : { state: fields[0], begun: fields[19] };
}

let table: string | undefined;

function tableOfNumbers(): string | undefined {
  const boot = textOf('/proc/sys/kernel/random/boot_id')?.trim();
  if (boot === undefined || textOf('/proc/self/stat') === undefined) return undefined;
  try {
    table ??= `${boot}|${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return undefined;
  }
  return table;
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
