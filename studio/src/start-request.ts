/** What the form asks for: as the server takes it, and as the same call of the command line. */
import type { MethodFacts, StartRequest } from './api.ts';

/** What a person has chosen, as typed. */
export interface Choices {
  method: string;
  data: string;
  background: string;
  where: string;
  backgroundWhere: string;
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
  const isContrast = method.needs === 'target+background';
  return {
    method: method.name,
    data: data.trim(),
    ...(needsBackground && background.trim() && { background: background.trim() }),
    ...(where.trim() && { where: where.trim() }),
    ...(isContrast && backgroundWhere.trim() && { backgroundWhere: backgroundWhere.trim() }),
    ...(method.needs === 'few-labels' && labels.trim() && { labels: Number(labels) }),
    ...(preset && { preset }),
    ...(seed.trim() && { seed: Number(seed) }),
    set,
    ...(name.trim() && { name: name.trim() }),
  };
}

/** The call that starts the same run in the folder of runs. */
export function commandOf(
  { method, data, background, where, backgroundWhere, labels, preset, seed, set, name }: StartRequest,
  folder: string,
): string {
  const quoted = (text: string) => (/^[\w./=:,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
  const flags: [string, string | number | undefined][] = [
    ['--data', data],
    ['--background', background],
    ['--where', where],
    ['--background-where', backgroundWhere],
    ['--labels', labels],
    ['--preset', preset],
    ...set.map((one): [string, string] => ['--set', one]),
    ['--seed', seed === 1 ? undefined : seed],
    ['--out', name && `${folder}/${name}`],
  ];
  return [
    'untangle train',
    method,
    ...flags.flatMap(([flag, value]) => (value === undefined || value === '' ? [] : [flag, quoted(String(value))])),
  ].join(' ');
}
