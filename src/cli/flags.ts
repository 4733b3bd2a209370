/** Flags are read from the schema of what they set, so that a flag is declared once for all verbs, files and forms. */
import { type Command, Option } from 'commander';
import { choiceOf, dataOptions, type Options, parseFlags, propertyOf } from '../options/index.ts';
import { flagOf } from '../shell.ts';

/** Flags as they are typed, by the options that they set. */
export type DataFlags = Partial<Record<keyof typeof dataOptions, string | true>>;

/** Adds a flag for each option to a verb. */
export function withFlags(command: Command, options: Options): Command {
  for (const [name, option] of Object.entries(options)) {
    const { type, title, description = '', enum: choices } = propertyOf(option);
    const takes: Record<string, string> = { boolean: '', integer: ' <n>', number: ' <n>', array: ' <names>' };
    const flag = new Option(
      flagOf(name) + (takes[`${type}`] ?? ` <${title ?? 'how'}>`),
      type === 'array' ? `${description}, with commas between them` : description,
    );
    command.addOption(choices ? flag.choices(choices) : flag);
  }
  return command;
}

/** Adds the flags that say which data is meant, or some of them. */
export function withDataFlags(command: Command, ...names: (keyof typeof dataOptions)[]): Command {
  const chosen = Object.entries(dataOptions).filter(
    ([name]) => names.length === 0 || names.some((one) => one === name),
  );
  return withFlags(command, Object.fromEntries(chosen));
}

/** What the flags of a verb say about its data. */
export function dataChoice(flags: DataFlags) {
  return choiceOf(parseFlags(dataOptions, flags));
}
