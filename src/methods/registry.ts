/** All methods by name. A new one is a file and a line here. */
import { unknownName } from '../errors.ts';
import { acGan } from './ac-gan.ts';
import { annealedVae } from './annealed-vae.ts';
import { betaTcvae } from './beta-tcvae.ts';
import { betaVae } from './beta-vae.ts';
import { cgan } from './cgan.ts';
import { classifier } from './classifier.ts';
import { conditionalVae } from './conditional-vae.ts';
import { contrastiveCorrect } from './contrastive-correct.ts';
import { contrastiveVae } from './contrastive-vae.ts';
import { contrastiveW2 } from './contrastive-w2.ts';
import { cvaeTc } from './cvae-tc.ts';
import { dipVae1, dipVae2 } from './dip-vae.ts';
import { factorVae } from './factor-vae.ts';
import { guidedBetaTcvae } from './guided-beta-tcvae.ts';
import { guidedVae } from './guided-vae.ts';
import { hfvae } from './hfvae.ts';
import { jointVae } from './joint-vae.ts';
import type { Method } from './method.ts';
import { nVae } from './n-vae.ts';
import { partedVae } from './parted-vae.ts';
import { rbVae } from './rb-vae.ts';
import { srbVae } from './srb-vae.ts';
import { svae } from './svae.ts';
import { vae } from './vae.ts';

const list: readonly Method[] = [
  vae,
  betaVae,
  annealedVae,
  dipVae1,
  dipVae2,
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
  rbVae,
  srbVae,
  nVae,
  partedVae,
  jointVae,
  conditionalVae,
  cgan,
  acGan,
  classifier,
];

export const methods: Readonly<Record<string, Method>> = Object.fromEntries(list.map((one) => [one.name, one]));

/** The method of a name. */
export function methodNamed(name: string): Method {
  if (!Object.hasOwn(methods, name)) throw unknownName('method', name, Object.keys(methods));
  return methods[name];
}
