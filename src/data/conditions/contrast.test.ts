import { describe, expect, test } from 'vitest';
import { type Dataset, fingerprint } from '../dataset.ts';
import { openImageFolder } from '../images/image-folder.ts';
import { imageStore } from '../images/image-store.ts';
import { filled, greyPng, newFolder } from '../testing/pictures.ts';
import { select } from './condition.ts';
import { contrastBetween, contrastWithin } from './contrast.ts';

/** Pictures of 1×2 pixels, of classes a, b, c in turn. */
function pictures(count: number, first = 0): Dataset {
  const pixels = Uint8Array.from({ length: count * 2 }, (_, i) => first + i);
  return imageStore({
    name: `pictures from ${first}`,
    title: '',
    shape: { kind: 'image', channels: 1, height: 1, width: 2 },
    pixels,
    labels: { names: ['a', 'b', 'c'], values: Uint16Array.from({ length: count }, (_, i) => i % 3) },
    fingerprint: fingerprint(pixels),
  });
}

describe('two parts of one set', () => {
  test('by a condition each', () => {
    const { target, background, warnings } = contrastWithin(pictures(6), {
      where: 'label in b,c',
      backgroundWhere: 'label = a',
    });
    expect([target.length, background.length, warnings]).toEqual([4, 2, []]);
    expect(background.gather([1])).toEqual(Float32Array.of(6 / 255, 7 / 255));
    expect(background.labels?.values).toEqual(Uint16Array.of(0, 0));
    expect(target.fingerprint).not.toBe(background.fingerprint);
  });

  test('the target is what is not background, if nothing else is said', () => {
    const { target } = contrastWithin(pictures(6), { backgroundWhere: 'label = a' });
    expect([...(target.labels?.values ?? [])]).toEqual([1, 2, 1, 2]);
  });

  test('an overlap is noticed', () => {
    const { warnings } = contrastWithin(pictures(6), { where: 'label in a,b', backgroundWhere: 'label in b,c' });
    expect(warnings).toEqual(['2 of the 4 items in the background are in the target too.']);
  });

  test('columns can be asked about afterwards', async () => {
    const folder = filled({
      'a.png': greyPng(1, 1),
      'b.png': greyPng(1, 2),
      'c.png': greyPng(1, 3),
      'labels.csv': 'file,label,age\na.png,x,10\nb.png,y,20\nc.png,y,30\n',
    });
    const data = await openImageFolder(folder, { dataDir: newFolder() });
    const { target } = contrastWithin(data, { backgroundWhere: 'label = x' });
    expect([...select(target, 'age > 20')]).toEqual([1]);
  });

  test('what is wrong gets a sentence', () => {
    expect(() => contrastWithin(pictures(3), { where: 'label = a' })).toThrow(
      'Nothing says which items of pictures from 0 are the background.',
    );
    expect(() => contrastWithin(pictures(3), { backgroundWhere: 'label in a,b,c' })).toThrow(
      'All 3 items of pictures from 0 are background; none is left for the target.',
    );
    expect(() => contrastWithin(pictures(2), { where: 'label = c', backgroundWhere: 'label = a' })).toThrow(
      'None of the 2 items of pictures from 0 meets the condition “label = c”.',
    );
  });
});

describe('two sets', () => {
  test('are taken as they are, or cut down by conditions', () => {
    const { target, background, warnings } = contrastBetween(pictures(6), pictures(9, 100), {
      backgroundWhere: 'label = a',
    });
    expect([target.length, background.length, warnings]).toEqual([6, 3, []]);
  });

  test('items in both are noticed, number for number', () => {
    expect(contrastBetween(pictures(6), pictures(6, 8)).warnings).toEqual([
      '2 of the 6 items in the background are in the target too.',
    ]);
    expect(contrastBetween(pictures(6), pictures(6)).warnings).toEqual([
      '6 of the 6 items in the background are in the target too.',
    ]);
  });

  test('of different shapes get a sentence with both', () => {
    const wide: Dataset = { ...pictures(3), name: 'wide', shape: { kind: 'image', channels: 3, height: 4, width: 8 } };
    expect(() => contrastBetween(pictures(3), wide)).toThrow(
      'The target pictures from 0 has items of 1×1×2 (channels, height, width), the background wide of 3×4×8 (channels, height, width).',
    );
    const table: Dataset = { ...pictures(3), name: 'table', shape: { kind: 'table', columns: ['x', 'y'] } };
    expect(() => contrastBetween(pictures(3), table)).toThrow('the background table of 2 columns.');
    const binary: Dataset = { ...pictures(3), name: 'binary', range: 'binary' };
    expect(() => contrastBetween(pictures(3), binary)).toThrow('has unit values, the background binary binary ones.');
  });
});
