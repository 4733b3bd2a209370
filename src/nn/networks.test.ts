import { expect, test } from 'vitest';
import { type ItemShape, tensorShape } from '../model/index.ts';
import { build } from './build.ts';
import { apply } from './layers.ts';
import { discriminatorLayers, networkFor, networks } from './networks.ts';

const table = (count: number): ItemShape => ({
  kind: 'table',
  columns: Array.from({ length: count }, (_, j) => `${j}`),
});
const image = (channels: number, height: number, width = height): ItemShape => ({
  kind: 'image',
  channels,
  height,
  width,
});

/** Runs a network's shapes through, and counts its numbers. */
function through(name: string, item: ItemShape, latents = 10) {
  const network = networkFor(name, item);
  const b = build();
  const shape = tensorShape(item);
  const features = apply(b.at('encoder'), network.encoder, b.rows('x', shape));
  const out = apply(b.at('decoder'), network.decoder, b.rows('z', [latents]));
  const size = [...b.declared.values()].reduce(
    (sum, { tensor }) => sum + tensor.shape.reduce<number>((p, d) => p * Number(d), 1),
    0,
  );
  return { features: features.shape, out: out.shape, size, shape };
}

test.each([
  ['parted-mnist', image(1, 32)],
  ['parted-dsprites', image(1, 64)],
  ['parted-celeba', image(3, 218, 178)],
  ['shapes-mlp', image(1, 64)],
  ['beta-conv', image(3, 64)],
  ['contrastive-28', image(1, 28)],
  ['contrastive-28', image(3, 28)],
  ['contrastive-64', image(3, 64)],
  ['contrastive-64', image(3, 96)],
  ['reference-64', image(3, 64)],
  ['reference-64-narrow', image(3, 64)],
  ['reference-96', image(3, 96)],
  ['small', image(1, 28)],
  ['small', image(3, 64)],
  ['small', image(1, 8)],
  ['small', table(77)],
  ['mlp', table(77)],
] as [string, ItemShape][])('%s takes an item of %j apart and puts it together in the same shape', (name, item) => {
  const { out, features, shape } = through(name, item);
  expect(out).toEqual(['batch', ...shape]);
  expect(features.length).toBe(2);
});

test('the networks of PartedVAE and β-VAE have the papers’ numbers of parameters', () => {
  // conv 32·1·16+32, 64·32·16+64, 64·64·16+64, FC 1024·256+256; FC 10·256+256, 256·1024+1024, convT 64·32·16+32, 32·32·16+32, 32·16+1
  expect(through('parted-mnist', image(1, 32)).size).toBe(
    544 + 32832 + 65600 + 262400 + 2816 + 263168 + 32800 + 16416 + 513,
  );
  // Ours for pages: conv 16·16+16, 16·16·16+16, 32·16·16+32, FC 288·64+64; FC 10·64+64, 64·288+288, convT 32·16·16+16, 16·16·16+16, 16·16+1
  expect(through('small', image(1, 28)).size).toBe(272 + 4112 + 8224 + 18496 + 704 + 18720 + 8208 + 4112 + 257);
  // Higgins et al.: 4096·1200 + 1200, 1200² + 1200; 10·1200 + 1200, 2 (1200² + 1200), 1200·4096 + 4096
  expect(through('shapes-mlp', image(1, 64)).size).toBe(4916400 + 1441200 + 13200 + 2 * 1441200 + 4919296);
});

test('PartedVAE’s network for CelebA has the authors’ paddings, and Table 5’s 1600 values before FC 256', () => {
  const { encoder, decoder } = networkFor('parted-celeba', image(3, 218, 178));
  const convolutions = encoder.flatMap((layer) => (layer.kind === 'conv' ? [layer.padding] : []));
  expect(convolutions).toEqual([
    [0, 2],
    [1, 2],
    [0, 2],
    [0, 1],
    [0, 0],
  ]);
  const back = decoder.flatMap((layer) => (layer.kind === 'convTranspose' ? [layer.padding] : []));
  expect(back).toEqual([...convolutions].reverse());
  expect(decoder.filter(({ kind }) => kind === 'linear')).toMatchObject([{ out: 256 }, { out: 1600 }]);
  // conv 3·32·16+32, 32·32·16+32, 32·64·16+64, 64·64·16+64 twice, FC 1600·256+256; FC 10·256+256, 256·1600+1600, and back.
  expect(through('parted-celeba', image(3, 218, 178), 10).size).toBe(
    1568 + 16416 + 32832 + 2 * 65600 + 409856 + 2816 + 411200 + 2 * 65600 + 32800 + 16416 + 1539,
  );
  expect(through('parted-celeba', image(3, 64)).out).toEqual(['batch', 3, 64, 64]);
});

test.each([1, 3, 5, 7, 8, 13, 16, 27, 28, 31, 32, 33, 50, 64, 65, 97, 128, 218])(
  'auto fits images of side %i',
  (side) => {
    const wide = Math.max(1, side - 1);
    expect(through('auto', image(2, side, wide)).out).toEqual(['batch', 2, side, wide]);
  },
);

test('a table of any width has a network', () => {
  for (const columns of [1, 5, 77, 3000]) expect(through('auto', table(columns)).out).toEqual(['batch', columns]);
});

test('a network that does not fit says so, and what would', () => {
  expect(() => networkFor('reference-64', image(3, 50))).toThrow('needs image sides that 16 divides, not 50×50');
  expect(() => networkFor('parted-celeba', image(3, 16))).toThrow('too often for 16×16');
  expect(() => networkFor('beta-conv', table(4))).toThrow('is for images, but the data is a table');
  expect(() => networkFor('parted-mnst', image(1, 32))).toThrow('There is no network “parted-mnst”');
});

test('every network says where it comes from, and discriminators have no normalisation', () => {
  for (const [name, make] of Object.entries(networks)) {
    const item = name === 'mlp' ? table(4) : image(3, 96);
    expect(make(item).source.length).toBeGreaterThan(10);
  }
  const layers = discriminatorLayers(networkFor('reference-64', image(3, 64)));
  expect(layers.some(({ kind }) => kind === 'channelNorm')).toBe(false);
  expect(layers.filter(({ kind }) => kind === 'conv').length).toBe(4);
});
