/** The data of a command: one set, cut down by a condition, or a target with its background from one place or two. */

import { defined } from '../defined.ts';
import { UntangleError } from '../errors.ts';
import type { DataValues } from '../options/index.ts';
import { select } from './conditions/condition.ts';
import { contrastBetween, contrastWithin } from './conditions/contrast.ts';
import type { Dataset, Opened } from './dataset.ts';
import { columnOf, withDesign } from './design.ts';
import { subsetWithFields } from './fields.ts';
import { withGiven } from './given.ts';
import { type DataOptions, openData } from './open.ts';
import { isTableFile } from './tables/read-table.ts';
import { openTableContrast } from './tables/table-contrast.ts';

/** The data of a command beside its name: how it is read, conditions on its items, and a background. */
export interface Choice
  extends DataOptions,
    Pick<DataValues, 'where' | 'background' | 'backgroundWhere' | 'group' | 'within' | 'given'> {}

/**
 * Opens what a command names.
 *
 * @example await chooseData('mice.csv', { where: 'Genotype = Ts65Dn', backgroundWhere: 'Genotype = Control' })
 */
export async function chooseData(spec: string, choice: Choice = {}): Promise<{ opened: Opened; warnings: string[] }> {
  const { group, within, given = [] } = choice;
  const known = isTableFile(spec)
    ? [group && columnOf(group), within && columnOf(within), ...given].filter(isSaid)
    : [];
  // What tells subjects or batches apart is not for the model to find, and what it is given it need not find.
  const chosen = await chooseSets(
    spec,
    known.length > 0 ? { ...choice, exclude: [...(choice.exclude ?? []), ...known] } : choice,
  );
  const designed = withDesign(chosen.opened, defined({ group, within }));
  const { opened, warnings } = withGiven(designed.opened, given);
  return { opened, warnings: [...chosen.warnings, ...designed.warnings, ...warnings] };
}

const isSaid = (text: string | undefined): text is string => text !== undefined && text !== '';

async function chooseSets(spec: string, choice: Choice): Promise<{ opened: Opened; warnings: string[] }> {
  const { where, background, backgroundWhere } = choice;
  if (background === undefined && backgroundWhere === undefined) {
    const opened = await openData(spec, choice);
    return { opened: where === undefined ? opened : narrowed(opened, where), warnings: [] };
  }
  const contrast =
    isTableFile(spec) && (background === undefined || isTableFile(background))
      ? await openTableContrast(spec, choice)
      : background === undefined
        ? contrastWithin(await single(spec, choice), choice)
        : contrastBetween(await single(spec, choice), await single(background, choice), choice);
  return {
    opened: { kind: 'contrast', target: contrast.target, background: contrast.background },
    warnings: contrast.warnings,
  };
}

/** One set, or a sentence: a set that is a contrast already can't be set against another. */
async function single(spec: string, choice: Choice): Promise<Dataset> {
  const opened = await openData(spec, choice);
  if (opened.kind === 'single') return opened.data;
  throw new UntangleError(`${spec} has a background of its own.`, {
    kind: 'call',
    hint: 'Leave --background and --background-where away.',
  });
}

function narrowed(opened: Opened, where: string): Opened {
  const cut = (data: Dataset) => subsetWithFields(data, select(data, where));
  return opened.kind === 'single'
    ? { kind: 'single', data: cut(opened.data) }
    : { kind: 'contrast', target: cut(opened.target), background: opened.background };
}
