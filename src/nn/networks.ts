/**
 * The papers' networks as data, and one for any other image or table. A network is a pair of layer lists: an encoder from an
 * item to features, and a decoder from a latent code to an item's logits or means. Heads for latent blocks are the methods'.
 */
import { enrol } from '../enrol.ts';
import { UntangleError, unknownName } from '../errors.ts';
import { type ImageShape, type ItemShape, itemSize, tensorShape } from '../model/index.ts';
import type { Layer } from './layers.ts';

export interface Network {
  name: string;
  /** Where it comes from, and what was chosen where the paper is silent. */
  source: string;
  encoder: Layer[];
  decoder: Layer[];
}

/** The layers for items of a shape. */
export type NetworkMaker = (item: ItemShape) => Network;

/** Two numbers for the two sides of an image. */
type Pair = readonly [number, number];

const byName: Record<string, NetworkMaker> = {
  auto: (item) => (item.kind === 'table' ? tableNetwork(item) : convNetwork('auto', item)),
  small: (item) => (item.kind === 'table' ? tableNetwork(item) : smallNetwork('small', item)),
  'parted-mnist': (item) => partedNetwork('parted-mnist', 'Table 3', item, [32, 64, 64], [32, 32]),
  'parted-dsprites': (item) => partedNetwork('parted-dsprites', 'Table 4', item, [32, 32, 64, 64], [64, 32, 32]),
  'parted-celeba': partedCeleba,
  'shapes-mlp': shapesMlp,
  'beta-conv': betaConv,
  'contrastive-28': (item) => contrastiveNetwork('contrastive-28', item, [32, 32, 64, 64, 128]),
  'contrastive-64': (item) => contrastiveNetwork('contrastive-64', item, [32, 32, 64, 64, 128, 128, 256]),
  'reference-64': (item) => referenceNetwork('reference-64', item, [32, 64, 128, 128]),
  'reference-64-narrow': (item) => referenceNetwork('reference-64-narrow', item, [8, 16, 32, 64]),
  'reference-96': (item) => referenceNetwork('reference-96', item, [32, 64, 128, 128, 128]),
  mlp: (item) => tableNetwork(item),
};
/** All networks by name. `auto` chooses by the item's shape. */
export const networks: Readonly<Record<string, NetworkMaker>> = byName;

/** Gives a network of one’s own its name while the program runs. @example addNetwork('wide', (item) => ({ …, encoder, decoder })) */
export function addNetwork(name: string, maker: NetworkMaker): void {
  if (typeof maker !== 'function')
    throw new UntangleError(`The network “${name}” is no function of an item's shape.`, {
      kind: 'call',
      hint: 'docs/plugins.md shows one.',
    });
  enrol(byName, 'network', name, maker);
}

/** The network of a name, for items of a shape. */
export function networkFor(name: string, item: ItemShape): Network {
  const maker = Object.hasOwn(networks, name) ? networks[name] : undefined;
  if (maker === undefined) throw unknownName('network', name, Object.keys(networks));
  return maker(item);
}

/**
 * PartedVAE, appendix C: 4×4 convolutions of stride 2, FC 256, and their mirror. The last convolution and FC 256 of the
 * encoder have slope 0.1, as in the authors' code. The size of the decoder's last FC follows from the image.
 */
function partedNetwork(
  name: string,
  table: string,
  item: ItemShape,
  encoder: number[],
  decoder: number[],
  paddings: readonly Pair[] = encoder.map(() => [1, 1]),
  hidden = 256,
): Network {
  const image = imageOf(name, item);
  const sizes = halvings(name, image, paddings);
  const [rows, columns] = sizes[sizes.length - 1];
  const top = encoder[encoder.length - 1];
  return {
    name,
    source: `PartedVAE, ${table}`,
    encoder: [
      ...encoder.flatMap((out, i): Layer[] => [
        { kind: 'conv', out, kernel: 4, stride: 2, padding: paddings[i] },
        i === encoder.length - 1 ? { kind: 'leakyRelu', slope: 0.1 } : { kind: 'relu' },
      ]),
      { kind: 'flatten' },
      { kind: 'linear', out: hidden },
      { kind: 'leakyRelu', slope: 0.1 },
    ],
    decoder: [
      { kind: 'linear', out: hidden },
      { kind: 'relu' },
      { kind: 'linear', out: top * rows * columns },
      { kind: 'relu' },
      { kind: 'reshape', item: [top, rows, columns] },
      ...doublings([...decoder, image.channels], sizes, paddings, { kind: 'relu' }),
    ],
  };
}

/** Of the whole 218×178 picture the authors' paddings leave 64 × 5 × 5, the 1600 of Table 5; other sizes are padded by one. */
function partedCeleba(item: ItemShape): Network {
  const isWhole = item.kind === 'image' && item.height === 218 && item.width === 178;
  const paddings = [
    [0, 2],
    [1, 2],
    [0, 2],
    [0, 1],
    [0, 0],
  ] as const;
  const channels = [32, 32, 64, 64, 64];
  return partedNetwork('parted-celeba', 'Table 5', item, channels, [64, 64, 32, 32], isWhole ? paddings : undefined);
}

/** β-VAE's network for 2D Shapes, which DIP-VAE uses: FC 1200 twice with ReLU, FC 1200 three times with tanh back. */
function shapesMlp(item: ItemShape): Network {
  const size = itemSize(item);
  return {
    name: 'shapes-mlp',
    source: 'Higgins et al. 2017, Table 1 (2D Shapes)',
    encoder: [
      { kind: 'flatten' },
      { kind: 'linear', out: 1200 },
      { kind: 'relu' },
      { kind: 'linear', out: 1200 },
      { kind: 'relu' },
    ],
    decoder: [
      ...[1200, 1200, 1200].flatMap((out): Layer[] => [{ kind: 'linear', out }, { kind: 'tanh' }]),
      { kind: 'linear', out: size },
      ...itemReshape(item),
    ],
  };
}

/** β-VAE's convolutional network for CelebA and Chairs, which DIP-VAE uses: 32, 32, 64, 64 and FC 256, and its mirror. */
function betaConv(item: ItemShape): Network {
  const network = partedNetwork('beta-conv', '', item, [32, 32, 64, 64], [64, 32, 32]);
  return {
    ...network,
    source: 'Higgins et al. 2017, Table 1 (CelebA, 3D Chairs)',
    encoder: network.encoder.map((layer) => (layer.kind === 'leakyRelu' ? { kind: 'relu' } : layer)),
  };
}

/**
 * The contrastive paper, appendix A.3: convolutions with leaky ReLU and channel normalisation, one FC, and transposed
 * convolutions back. Channels, kernels and slope are not given; these are ours: 3×3 (stride 1) and 4×4 (stride 2) in turn
 * so that 28×28 ends at 7×7, slope 0.2.
 */
function contrastiveNetwork(name: string, item: ItemShape, channels: number[]): Network {
  const image = imageOf(name, item);
  const slope = 0.2;
  const strides = channels.map((_, i) => (i % 2 === 1 ? 2 : 1));
  const sizes: [number, number][] = [[image.height, image.width]];
  for (const stride of strides) {
    const [height, width] = sizes[sizes.length - 1];
    sizes.push(stride === 2 ? [Math.floor(height / 2), Math.floor(width / 2)] : [height, width]);
  }
  const [rows, columns] = sizes[sizes.length - 1];
  const top = channels[channels.length - 1];
  const back = [...channels.slice(0, -1).reverse(), image.channels];
  return {
    name,
    source: 'Contrastive objectives, appendix A.3; channels, kernels and slope are ours',
    encoder: [
      ...channels.flatMap((out, i): Layer[] => [
        { kind: 'conv', out, kernel: strides[i] === 2 ? 4 : 3, stride: strides[i], padding: 1 },
        { kind: 'channelNorm' },
        { kind: 'leakyRelu', slope },
      ]),
      { kind: 'flatten' },
      { kind: 'linear', out: 256 },
      { kind: 'leakyRelu', slope },
    ],
    decoder: [
      { kind: 'linear', out: top * rows * columns },
      { kind: 'leakyRelu', slope },
      { kind: 'reshape', item: [top, rows, columns] },
      ...back.flatMap((out, i): Layer[] => {
        const stride = strides[strides.length - 1 - i];
        const [fromHeight, fromWidth] = sizes[sizes.length - 1 - i];
        const [toHeight, toWidth] = sizes[sizes.length - 2 - i];
        const layer: Layer = {
          kind: 'convTranspose',
          out,
          kernel: stride === 2 ? 4 : 3,
          stride,
          padding: 1,
          outputPadding: [toHeight - stride * fromHeight, toWidth - stride * fromWidth],
        };
        return i === back.length - 1 ? [layer] : [layer, { kind: 'leakyRelu', slope }];
      }),
    ],
  };
}

/**
 * Rb-VAE, section 5.1 and appendix D: 3×3 convolutions, leaky ReLU 0.2, channel normalisation; average pooling down, nearest
 * up-sampling up, tanh at the end. The channel counts of its Fig. 6 are not in the text; these are ours.
 */
function referenceNetwork(name: string, item: ItemShape, channels: number[]): Network {
  const image = imageOf(name, item);
  const factor = 2 ** channels.length;
  if (image.height % factor !== 0 || image.width % factor !== 0) {
    throw new UntangleError(
      `The network “${name}” needs image sides that ${factor} divides, not ${image.height}×${image.width}.`,
      {
        kind: 'call',
        hint: 'Resize the images, or take the network “auto”.',
      },
    );
  }
  const block = (out: number): Layer[] => [
    { kind: 'conv', out, kernel: 3, padding: 1 },
    { kind: 'channelNorm' },
    { kind: 'leakyRelu', slope: 0.2 },
  ];
  const [rows, columns] = [image.height / factor, image.width / factor];
  const top = channels[channels.length - 1];
  const back = [...channels].reverse();
  return {
    name,
    source: 'Rb-VAE, appendix D; channel counts are ours',
    encoder: [
      ...channels.flatMap((out): Layer[] => [...block(out), { kind: 'averagePool', size: 2 }]),
      { kind: 'flatten' },
      { kind: 'linear', out: 256 },
      { kind: 'leakyRelu', slope: 0.2 },
    ],
    decoder: [
      { kind: 'linear', out: top * rows * columns },
      { kind: 'leakyRelu', slope: 0.2 },
      { kind: 'reshape', item: [top, rows, columns] },
      ...back.flatMap((out): Layer[] => [{ kind: 'upsample', factor: 2 }, ...block(out)]),
      { kind: 'conv', out: image.channels, kernel: 3, padding: 1 },
    ],
  };
}

/** The image half of Rb-VAE's discriminators: the encoder without normalisation. */
export function discriminatorLayers(network: Network): Layer[] {
  return network.encoder.filter((layer) => layer.kind !== 'channelNorm');
}

/** For images of any size: 4×4 convolutions of stride 2 until a side is 7 or less, 32 then 64 channels, FC 256. */
function convNetwork(name: string, item: ItemShape): Network {
  const image = imageOf(name, item);
  const count = Math.max(1, Math.ceil(Math.log2((Math.min(image.height, image.width) + 1) / 8)));
  const depth = Math.min(image.height, image.width) < 4 ? 0 : count;
  if (depth === 0) return { ...tableNetwork(item), name };
  const channels = Array.from({ length: depth }, (_, i) => (i < Math.ceil(depth / 2) ? 32 : 64));
  return {
    ...partedNetwork(name, '', item, channels, channels.slice(0, -1).reverse()),
    source: 'chosen by the image’s size',
  };
}

/**
 * For pages and phones, ours: 4×4 convolutions of stride 2 until a side is 4 or less, 16 then 32 channels, FC 64. Of a picture of
 * 28×28 the encoder and the decoder have some 45,000 parameters each, about 180 kB.
 */
function smallNetwork(name: string, item: ItemShape): Network {
  const image = imageOf(name, item);
  const depth = Math.ceil(Math.log2((Math.min(image.height, image.width) + 1) / 5));
  if (depth < 1) return { ...tableNetwork(item), name };
  const channels = Array.from({ length: depth }, (_, i) => (i < Math.ceil(depth / 2) ? 16 : 32));
  return {
    ...partedNetwork(name, '', item, channels, channels.slice(0, -1).reverse(), undefined, 64),
    source: 'ours, for models of a few hundred kB',
  };
}

/** For tables: two hidden layers whose width follows the number of columns. */
function tableNetwork(item: ItemShape): Network {
  const size = itemSize(item);
  const width = Math.min(512, Math.max(64, 2 ** Math.ceil(Math.log2(size * 2))));
  const hidden: Layer[] = [
    { kind: 'linear', out: width },
    { kind: 'relu' },
    { kind: 'linear', out: width },
    { kind: 'relu' },
  ];
  return {
    name: 'mlp',
    source: 'chosen by the number of columns',
    encoder: [...(item.kind === 'image' ? [{ kind: 'flatten' } as const] : []), ...hidden],
    decoder: [...hidden, { kind: 'linear', out: size }, ...itemReshape(item)],
  };
}

function itemReshape(item: ItemShape): Layer[] {
  return item.kind === 'image' ? [{ kind: 'reshape', item: tensorShape(item) }] : [];
}

function imageOf(name: string, item: ItemShape): ImageShape {
  if (item.kind === 'image') return item;
  throw new UntangleError(`The network “${name}” is for images, but the data is a table.`, {
    kind: 'call',
    hint: 'Take the network “mlp” or “auto”.',
  });
}

/** The sizes that an image goes through when 4×4 filters of stride 2 pass over it with such paddings. */
function halvings(
  name: string,
  image: { height: number; width: number },
  paddings: readonly Pair[],
): [number, number][] {
  const sizes: [number, number][] = [[image.height, image.width]];
  for (const [above, beside] of paddings) {
    const [height, width] = sizes[sizes.length - 1];
    sizes.push([halved(height, above), halved(width, beside)]);
  }
  if (Math.min(...sizes[paddings.length]) < 1) {
    throw new UntangleError(
      `The network “${name}” halves images ${paddings.length} times, too often for ${image.height}×${image.width}.`,
      {
        kind: 'call',
        hint: 'Take the network “auto”, which goes by the image’s size.',
      },
    );
  }
  return sizes;
}

const halved = (side: number, padding: number) => Math.floor((side + 2 * padding - 4) / 2) + 1;

/** Transposed convolutions back through the sizes, with an activation between them. */
function doublings(
  channels: number[],
  sizes: [number, number][],
  paddings: readonly Pair[],
  activation: Layer,
): Layer[] {
  return channels.flatMap((out, i): Layer[] => {
    const [from, to] = [sizes[sizes.length - 1 - i], sizes[sizes.length - 2 - i]];
    const padding = paddings[paddings.length - 1 - i];
    const missing = (side: 0 | 1) => to[side] - (2 * from[side] + 2 - 2 * padding[side]);
    const outputPadding = [missing(0), missing(1)] as const;
    const layer: Layer = { kind: 'convTranspose', out, kernel: 4, stride: 2, padding, outputPadding };
    return i === channels.length - 1 ? [layer] : [layer, activation];
  });
}
