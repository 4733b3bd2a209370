import { expect, test } from 'vitest';
import { nearest, unknownName } from './errors.ts';

test('a slip of the finger finds the name that was meant', () => {
  expect(nearest('bta-vae', ['vae', 'beta-vae', 'dip-vae-i'])).toBe('beta-vae');
  expect(nearest('mnsit', ['mnist', 'dsprites'])).toBe('mnist');
});

test('a name that resembles nothing gets no suggestion', () => {
  expect(nearest('zebra', ['mnist', 'dsprites'])).toBeUndefined();
  expect(unknownName('dataset', 'zebra', ['mnist']).hint).toBe('Known: mnist.');
});
