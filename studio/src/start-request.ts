/** What the form asks for: as the server takes it, and as the same call of the command line. */
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
export function requestOf(
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
    ...(exclude.trim() && { exclude: exclude.trim() }),
    ...(method.needs === 'few-labels' && labels.trim() && { labels: Number(labels) }),
    ...(preset && { preset }),
    ...(seed.trim() && { seed: Number(seed) }),
    set,
    ...(name.trim() && { name: name.trim() }),
  };
}

/** The call that starts the same run in the folder of runs. */
export function commandOf(request: StartRequest, folder: string): string {
  const { method, data, background, where, backgroundWhere, labels, preset, seed, set = [], name } = request;
  const { size, crop, grey, label, exclude } = request;
  const quoted = (text: string) => (/^[\w./=:,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
  const flags: [string, string | number | true | undefined][] = [
    ['--data', data],
    ['--background', background],
    ['--where', where],
    ['--background-where', backgroundWhere],
    ['--size', size],
    ['--crop', crop || undefined],
    ['--grey', grey || undefined],
    ['--label', label],
    ['--exclude', exclude],
    ['--labels', labels],
    ['--preset', preset],
    ...set.map((one): [string, string] => ['--set', one]),
    ['--seed', seed === 1 ? undefined : seed],
    ['--out', name && `${folder}/${name}`],
  ];
  return [
    'untangle train',
    method,
    ...flags.flatMap(([flag, value]) => {
      if (value === undefined || value === '') return [];
      return value === true ? [flag] : [flag, quoted(String(value))];
    }),
  ].join(' ');
}
