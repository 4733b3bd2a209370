/** All methods by name. A new one is a file and a line here. */
import { unknownName } from '../errors.ts';
import { annealedVae } from './annealed-vae.ts';
import { betaVae } from './beta-vae.ts';
import { dipVae1, dipVae2 } from './dip-vae.ts';
import type { Method } from './method.ts';
import { vae } from './vae.ts';

const list: readonly Method[] = [vae, betaVae, annealedVae, dipVae1, dipVae2];

export const methods: Readonly<Record<string, Method>> = Object.fromEntries(list.map((one) => [one.name, one]));

/** The method of a name. */
export function methodNamed(name: string): Method {
  if (!Object.hasOwn(methods, name)) throw unknownName('method', name, Object.keys(methods));
  return methods[name];
}
