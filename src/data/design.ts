/**
 * Which items belong together and which may be exchanged: repeats of one subject are no independent items, and batches differ by
 * themselves. Groups keep whole in every split, and tests relabel whole groups, within strata alone.
 */
import { UntangleError, unknownName } from '../errors.ts';
import type { Dataset, Opened } from './dataset.ts';
import { extended, type Field, fieldsOf } from './fields.ts';

/** The group, or the stratum, of every item. */
export interface Grouping {
  /** What it was taken from. */
  column: string;
  /** A number for each item; the same in target and background for the same group. */
  values: Int32Array;
  /** The numbers of groups that both target and background have items of. */
  shared: ReadonlySet<number>;
}

export interface DesignChoice {
  /** A column, or what stands before a sign in it, as in `MouseID before _`. */
  group?: string;
  within?: string;
}

/** The data with groups and strata, and sentences on what is odd about them. */
export function withDesign(opened: Opened, { group, within }: DesignChoice): { opened: Opened; warnings: string[] } {
  if (group === undefined && within === undefined) return { opened, warnings: [] };
  const sets = opened.kind === 'single' ? [opened.data] : [opened.target, opened.background];
  const groups = group === undefined ? undefined : groupings(sets, group);
  const strata = within === undefined ? undefined : groupings(sets, within);
  const known = sets.map((data, s) =>
    extended(data, { ...(groups && { groups: groups[s] }), ...(strata && { strata: strata[s] }) }),
  );
  return {
    opened:
      opened.kind === 'single'
        ? { kind: 'single', data: known[0] }
        : { kind: 'contrast', target: known[0], background: known[1] },
    warnings: groups ? oddGroups(groups, sets) : [],
  };
}

/** The grouping of each set, with the same numbers for the same group. */
function groupings(sets: readonly Dataset[], said: string): Grouping[] {
  const { column, before } = parse(said);
  const codes = new Map<string, number>();
  const values = sets.map((data) => {
    const textAt = texts(data, column);
    return Int32Array.from({ length: data.length }, (_, item) => {
      const text = textAt(item);
      // An item without a group is a group of its own.
      if (text === undefined) codes.set(`\n${codes.size}`, codes.size);
      const name = text === undefined ? `\n${codes.size - 1}` : before === undefined ? text : text.split(before)[0];
      const code = codes.get(name) ?? codes.size;
      codes.set(name, code);
      return code;
    });
  });
  const [first, second] = values.map((all) => new Set(all));
  const shared = new Set([...first].filter((code) => second?.has(code)));
  return values.map((all) => ({ column: said, values: all, shared }));
}

/** The column that is meant. */
export function columnOf(said: string): string {
  return parse(said).column;
}

function parse(said: string): { column: string; before?: string } {
  const [, column, before] = /^(.+?) before (.+)$/.exec(said) ?? [];
  return column === undefined ? { column: said } : { column, before };
}

function texts(data: Dataset, column: string): (item: number) => string | undefined {
  const fields = fieldsOf(data);
  const field =
    fields.find(({ name }) => name === column) ??
    fields.find(({ name }) => name.toLowerCase() === column.toLowerCase());
  if (field === undefined) {
    if (fields.length > 0)
      throw unknownName(
        `column of ${data.name}`,
        column,
        fields.map(({ name }) => name),
      );
    throw new UntangleError(`Nothing is known of the items of ${data.name}, so none can be grouped by “${column}”.`, {
      kind: 'call',
    });
  }
  return (item) => textOf(field, item);
}

function textOf(field: Field, item: number): string | undefined {
  const value = field.at(item);
  if (field.kind === 'text') return field.categories[value];
  return Number.isNaN(value) ? undefined : String(value);
}

function oddGroups(groups: readonly Grouping[], sets: readonly Dataset[]): string[] {
  const notes: string[] = [];
  const counts = groups.map(({ values }) => new Set(values).size);
  const items = sets.reduce((sum, { length }) => sum + length, 0);
  const all = counts.reduce((sum, count) => sum + count, 0);
  if (all === items)
    notes.push(
      `Every item has a ${groups[0].column} of its own, so --group keeps nothing together. If it holds the group's name and a number, part them, as in: --group "${groups[0].column} before _"`,
    );
  for (const [s, count] of counts.entries())
    if (count < 3)
      notes.push(
        `${sets[s].name} has ${count === 1 ? 'one group' : `${count} groups`} by ${groups[s].column}: what holds for ${count === 1 ? 'it' : 'them'} can't be told from what holds for the set.`,
      );
  return notes;
}

/** The items in some groups' places after parting the groups: those that both sets have alike in both, the others by themselves. */
export function splitByGroups(
  { values, shared }: Grouping,
  shares: { test: number; validation: number },
  drawn: (group: number) => number,
): { train: Uint32Array; validation: Uint32Array; test: Uint32Array } {
  const partOf = new Map<number, 'test' | 'validation' | 'train'>();
  const own = [...new Set(values)].filter((group) => !shared.has(group));
  for (const groups of [own, [...shared]]) {
    const order = groups.map((group) => ({ group, at: drawn(group) })).sort((a, b) => a.at - b.at || a.group - b.group);
    const count = (share: number) =>
      share === 0 || order.length < 3 ? 0 : Math.max(1, Math.round(order.length * share));
    const [tests, validations] = [count(shares.test), count(shares.validation)];
    for (const [i, { group }] of order.entries())
      partOf.set(group, i < tests ? 'test' : i < tests + validations ? 'validation' : 'train');
  }
  const items = (part: string) => Uint32Array.from(values.keys()).filter((item) => partOf.get(values[item]) === part);
  return { train: items('train'), validation: items('validation'), test: items('test') };
}
