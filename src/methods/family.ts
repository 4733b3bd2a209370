/**
 * Families: methods of one model that differ in what they minimise. A family gives the parts of a batch that objectives are
 * made of; a method of it adds options of its own and an objective. Terms that no paper has belong to the family, so that each
 * of its methods can take them.
 */
import type { Build } from '../nn/index.ts';
import { number, type Option, type Options } from '../options/index.ts';
import type { Tensor } from '../tensor/index.ts';
import type { Adversary, Context, Method, Model, Preset, Settings } from './method.ts';
import { trainingStep } from './parameters.ts';

/** What a method minimises. */
export interface Objective {
  minimises: Tensor;
  /** Terms to log beside the family's, unweighted. */
  terms?: Record<string, Tensor>;
  /** Networks that learn against the model in the same step; all other parameters are the model's. */
  adversaries?: readonly Adversary[];
}

/** A family's model: all but its steps, and what the objectives of a batch are made of. */
export interface FamilyModel<Parts> extends Omit<Model, 'steps'> {
  partsOf(b: Build): Parts;
}

/** A term of ours that no paper has. Its name is that of its weight; at 0 it is not worked out at all. */
export interface OwnTerm<Parts> {
  weight: Option<number>;
  of(parts: Parts): Tensor;
}

export interface Family<Shared extends Options, Parts> extends Pick<Method, 'needs'> {
  /** Options of the model, which every method of the family has. */
  options: Shared;
  /** Those of them that no paper has. */
  ours?: readonly (keyof Shared & string)[];
  ourTerms?: Readonly<Record<string, OwnTerm<Parts>>>;
  model(context: Context, settings: Settings<Shared>): FamilyModel<Parts>;
  /** The terms that each of its methods logs. */
  logged(parts: Parts): Record<string, Tensor>;
}

/** A method of a family, as its author writes it. */
export interface FamilyMethod<Own extends Options, Shared extends Options, Parts>
  extends Omit<Method<Own>, 'needs' | 'ours' | 'presets' | 'build'> {
  ours?: readonly (keyof Own & string)[];
  presets?: Readonly<Record<string, Preset>>;
  objective(parts: Parts, settings: Settings<Own> & Settings<Shared>): Objective;
}

/** Gives the function that makes a family's methods. @see vae/family.ts for an example */
export function family<const Shared extends Options, Parts>(shared: Family<Shared, Parts>) {
  const { needs, ourTerms = {}, model, logged } = shared;
  const weights = Object.fromEntries(Object.entries(ourTerms).map(([name, { weight }]) => [name, weight]));
  return <const Own extends Options>({
    presets = {},
    objective,
    ...given
  }: FamilyMethod<Own, Shared, Parts>): Method => ({
    ...given,
    needs,
    presets,
    options: { ...shared.options, ...weights, ...given.options },
    ours: [...(shared.ours ?? []), ...Object.keys(weights), ...(given.ours ?? [])],
    build(context, checked) {
      // Whoever builds a method has checked its options against the schema above.
      const settings = checked as Settings<Own> & Settings<Shared>;
      const { partsOf, ...whole } = model(context, settings);
      return {
        ...whole,
        steps(b) {
          const parts = partsOf(b);
          const { minimises, terms, adversaries } = objective(parts, settings);
          const added = Object.entries(ourTerms).filter(([name]) => checked[name] !== 0);
          const own = added.map(([name, { of }]) => ({ name, weight: Number(checked[name]), term: of(parts) }));
          return [
            trainingStep(b, {
              minimises: own.reduce((sum, { term, weight }) => sum.plus(term.times(weight)), minimises),
              terms: {
                ...logged(parts),
                ...terms,
                ...Object.fromEntries(own.map(({ name, term }) => [name, term])),
              },
              adversaries,
            }),
          ];
        },
      };
    },
  });
}

/** A term of ours by what its weight means. */
export function ownTerm<Parts>(meaning: string, of: (parts: Parts) => Tensor): OwnTerm<Parts> {
  return { weight: number(`${meaning}; 0 as in the papers`, { default: 0, min: 0, schedulable: false }), of };
}
