/** What the form asks for: as the server takes it, and as the same call of the command line. */
import { flagsOf, quoted } from '../../src/shell.ts';
import type { MethodFacts, StartRequest } from './api.ts';

/** What a person has chosen, as typed. */
export interface Choices {
  method: string;
  data: string;
  background: string;
  where: string;
  backgroundWhere: string;
  size: string;
  crop: boolean;
  grey: boolean;
  label: string;
  exclude: string;
  labels: string;
  preset: string;
  seed: string;
  name: string;
}

/** The request; what is empty or does not concern the method is left out. */
export function startRequestOf(
  method: MethodFacts,
  choices: Choices,
  set: string[],
  needsBackground: boolean,
): StartRequest {
  const { data, background, where, backgroundWhere, labels, preset, seed, name } = choices;
  const { size, crop, grey, label, exclude } = choices;
  const isContrast = method.needs === 'target+background';
  return {
    method: method.name,
    data: data.trim(),
    ...(needsBackground && background.trim() && { background: background.trim() }),
    ...(where.trim() && { where: where.trim() }),
    ...(isContrast && backgroundWhere.trim() && { backgroundWhere: backgroundWhere.trim() }),
    ...(size.trim() && { size: Number(size) }),
    ...(crop && { crop }),
    ...(grey && { grey }),
    ...(label.trim() && { label: label.trim() }),
    ...(exclude.trim() && { exclude: exclude.split(',').map((column) => column.trim()) }),
    ...(method.needs === 'few-labels' && labels.trim() && { labels: Number(labels) }),
    ...(preset && { preset }),
    ...(seed.trim() && { seed: Number(seed) }),
    set,
    ...(name.trim() && { name: name.trim() }),
  };
}

/** The call that starts the same run in the folder of runs. */
export function commandOf({ method, set = [], seed, name, ...rest }: StartRequest, folder: string): string {
  const settings = set.flatMap((one) => ['--set', one]);
  const last = flagsOf({ seed: seed === 1 ? undefined : seed, out: name && `${folder}/${name}` });
  return ['untangle', 'train', method, ...flagsOf(rest), ...settings, ...last].map(quoted).join(' ');
}
