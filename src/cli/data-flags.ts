/** The flags that say which data a verb means and how it is read; the same for every verb that opens data. */
import { type Command, Option } from 'commander';
import type { Choice } from '../data/index.ts';
import { wholeNumber } from './numbers.ts';

export interface DataFlags {
  background?: string;
  where?: string;
  backgroundWhere?: string;
  size?: string;
  grey?: boolean;
  crop?: boolean;
  label?: string;
  exclude?: string;
  skipBad?: boolean;
  dataDir?: string;
}

/** Adds the flags to a verb. */
export function withDataFlags(command: Command): Command {
  return command
    .option('--background <data>', 'the set that the target is compared with')
    .option('--where <condition>', 'only items for which this holds: the target, if there is a background')
    .option('--background-where <condition>', 'items for which this holds are the background')
    .option('--size <n>', 'resize images to this side')
    .option('--crop', 'cut images to squares before they are resized')
    .option('--grey', 'turn colour into grey')
    .option('--label <column>', 'the column of a table that holds the classes')
    .option('--exclude <columns>', 'columns of a table that the model is not to see, with commas between them')
    .option('--skip-bad', 'go on without images that do not open')
    .addOption(new Option('--data-dir <folder>', 'where data files lie (otherwise UNTANGLE_DATA, or the user cache)'));
}

/** The flags as the data room takes them. */
export function dataChoice(flags: DataFlags): Choice {
  const { background, where, backgroundWhere, size, grey, crop, label, exclude, skipBad, dataDir } = flags;
  return {
    ...(background !== undefined && { background }),
    ...(where !== undefined && { where }),
    ...(backgroundWhere !== undefined && { backgroundWhere }),
    ...(size !== undefined && { size: wholeNumber('--size', size, 1, 4096) }),
    ...(grey && { grey }),
    ...(crop && { crop }),
    ...(label !== undefined && { label }),
    ...(exclude !== undefined && { exclude: exclude.split(',').map((name) => name.trim()) }),
    ...(skipBad && { skipBad }),
    ...(dataDir !== undefined && { dataDir }),
  };
}
