/** All methods by name. A new one is a file and a line here. */
import { enrol } from '../enrol.ts';
import { UntangleError, unknownName } from '../errors.ts';
import { acGan } from './adversarial/ac-gan.ts';
import { cgan } from './adversarial/cgan.ts';
import { infogan } from './adversarial/infogan.ts';
import { ccvae } from './classes/ccvae.ts';
import { classifier } from './classes/classifier.ts';
import { conditionalVae } from './classes/conditional-vae.ts';
import { jointVae } from './classes/joint-vae.ts';
import { m2Vae } from './classes/m2-vae.ts';
import { nVae } from './classes/n-vae.ts';
import { partedVae } from './classes/parted-vae.ts';
import { clvm } from './contrastive/clvm.ts';
import { contrastiveCorrect } from './contrastive/contrastive-correct.ts';
import { contrastiveVae } from './contrastive/contrastive-vae.ts';
import { contrastiveW2 } from './contrastive/contrastive-w2.ts';
import { cvaeTc } from './contrastive/cvae-tc.ts';
import { mmCvae } from './contrastive/mm-cvae.ts';
import { rbVae } from './contrastive/rb-vae.ts';
import { sepVae } from './contrastive/sep-vae.ts';
import { srbVae } from './contrastive/srb-vae.ts';
import type { Method } from './method.ts';
import { annealedVae } from './vae/annealed-vae.ts';
import { betaTcvae } from './vae/beta-tcvae.ts';
import { betaVae } from './vae/beta-vae.ts';
import { dipVae1, dipVae2 } from './vae/dip-vae.ts';
import { factorVae } from './vae/factor-vae.ts';
import { guidedBetaTcvae } from './vae/guided-beta-tcvae.ts';
import { guidedVae } from './vae/guided-vae.ts';
import { hfvae } from './vae/hfvae.ts';
import { infoVae } from './vae/info-vae.ts';
import { svae } from './vae/svae.ts';
import { vae } from './vae/vae.ts';

const list: readonly Method[] = [
  vae,
  betaVae,
  annealedVae,
  dipVae1,
  dipVae2,
  infoVae,
  factorVae,
  betaTcvae,
  svae,
  hfvae,
  guidedVae,
  guidedBetaTcvae,
  contrastiveVae,
  cvaeTc,
  contrastiveCorrect,
  contrastiveW2,
  mmCvae,
  sepVae,
  clvm,
  rbVae,
  srbVae,
  nVae,
  partedVae,
  m2Vae,
  ccvae,
  jointVae,
  conditionalVae,
  cgan,
  acGan,
  infogan,
  classifier,
];

const byName: Record<string, Method> = Object.fromEntries(list.map((one) => [one.name, one]));
export const methods: Readonly<Record<string, Method>> = byName;

/** Whether a method came with untangle, so that every process of it knows the name. */
export const isBuiltIn = (name: string): boolean => list.some((one) => one.name === name);

/** The method of a name. */
export function methodNamed(name: string): Method {
  if (!Object.hasOwn(methods, name)) throw unknownName('method', name, Object.keys(methods));
  return methods[name];
}

/** Gives a method of one’s own its name while the program runs. @example addMethod(freeBits) */
export function addMethod(one: Method): void {
  const isMethod = typeof one?.name === 'string' && typeof one.build === 'function' && typeof one.options === 'object';
  if (!isMethod)
    throw new UntangleError('A method has a name, options and a function “build”; this is none.', {
      kind: 'call',
      hint: 'docs/adding-a-method.md shows one.',
    });
  enrol(byName, 'method', one.name, one);
}
