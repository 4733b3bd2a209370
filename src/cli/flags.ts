/** Flags are read from the schema of what they set, so that each is declared once: what it takes, its default, its meaning, its type. */
import { type Command, Option } from 'commander';
import type { Defined } from '../defined.ts';
import {
  boolean,
  choiceOf,
  dataOptions,
  integer,
  list,
  type Options,
  type OptionValues,
  parseFlags,
  propertyOf,
  text,
} from '../options/index.ts';
import { flagOf } from '../shell.ts';

/** What a verb gets of its flags. */
export type Flags<S extends Options> = Defined<OptionValues<S>>;

/** Every verb has it. */
export const jsonFlag = { json: boolean('one machine-readable object on stdout') };
/** How many of these at once. */
export const jobsFlag = (what: string) =>
  integer(`${what} at once (otherwise one for each core)`, { min: 1, max: 256 });
export const seedFlag = (what: string, seed: number) => integer(what, { min: 0, default: seed });
export const settingsFlag = (meaning: string, title: string) => list(meaning, { of: 'text', title: `${title}...` });

/** Which metrics are measured, and how. */
export const metricFlags = {
  metrics: list('metrics', { of: 'text' }),
  protocol: text('a preset: disentanglement-lib, dip-vae or parted-vae', { title: 'name' }),
  set: settingsFlag('an option of a metric, as in mig.bins=10', 'metric.option=value'),
};

/** Adds a flag for each option to a verb; its action gets values of the options' own types. */
export function withFlags(command: Command, options: Options): Command {
  for (const [name, option] of Object.entries(options)) {
    const { type, title, description = '', enum: choices, default: standard } = propertyOf(option);
    const takes: Record<string, string> = { boolean: '', integer: ' <n>', number: ' <n>', array: ' <names>' };
    const argument = title === undefined ? (takes[`${type}`] ?? ' <how>') : ` <${title}>`;
    const isRepeated = argument.endsWith('...>');
    const meaning = type === 'array' && !isRepeated ? `${description}, with commas between them` : description;
    const flag = new Option(flagOf(name) + argument, meaning)
      .default(standard)
      .makeOptionMandatory(!option.safeParse(undefined).success);
    if (choices) flag.choices(choices);
    else if (type !== 'boolean' && !isRepeated)
      flag.argParser((typed) => parseFlags({ [name]: option }, { [name]: typed })[name]);
    command.addOption(flag);
  }
  return command;
}

/** What the flags of a verb say about its data. */
export function dataChoice(flags: Partial<Flags<typeof dataOptions>>) {
  return choiceOf(parseFlags(dataOptions, flags));
}
