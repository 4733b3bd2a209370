/** What the form asks for: as the server takes it, and as the same call of the command line. */
import { callOf, flagsOf } from '../../src/shell.ts';
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
    background: needsBackground ? background.trim() || undefined : undefined,
    where: where.trim() || undefined,
    backgroundWhere: isContrast ? backgroundWhere.trim() || undefined : undefined,
    size: size.trim() ? Number(size) : undefined,
    crop: crop || undefined,
    grey: grey || undefined,
    label: label.trim() || undefined,
    exclude: exclude.trim() ? exclude.split(',').map((column) => column.trim()) : undefined,
    labels: method.needs === 'few-labels' && labels.trim() ? Number(labels) : undefined,
    preset: preset || undefined,
    seed: seed.trim() ? Number(seed) : undefined,
    set,
    name: name.trim() || undefined,
  };
}

/** The call that starts the same run in the folder of runs. */
export function commandOf({ method, set = [], seed, name, ...rest }: StartRequest, folder: string): string {
  const settings = set.flatMap((one) => ['--set', one]);
  const last = flagsOf({ seed: seed === 1 ? undefined : seed, out: name && `${folder}/${name}` });
  return callOf('train', method, ...flagsOf(rest), ...settings, ...last);
}
