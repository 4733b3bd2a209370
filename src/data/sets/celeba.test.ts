import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { select } from '../conditions/condition.ts';
import { colourPng, filled } from '../testing/pictures.ts';
import { celeba } from './celeba.ts';

/** Twelve faces of 178×218 in CelebA's layout (as PNG, which a reader tells by the content): every third with a cap … */
function faces(): string {
  const files: Record<string, string | Uint8Array> = {};
  const lines: string[] = [];
  for (let i = 0; i < 12; i++) {
    const name = `${String(i + 1).padStart(6, '0')}.jpg`;
    files[`celeba/img_align_celeba/${name}`] = colourPng(178, 218, [i * 20, 255 - i * 20, 0]);
    const [glasses, hat] = [i % 3 === 0 || i === 10, i % 3 === 1];
    lines.push(`${name}  ${i < 6 ? ' 1' : '-1'} ${glasses ? ' 1' : '-1'} ${hat ? ' 1' : '-1'}`);
  }
  files['celeba/list_attr_celeba.txt'] = `12\nMale Eyeglasses Wearing_Hat \n${lines.join('\n')}\n`;
  files['celeba/list_eval_partition.txt'] = lines
    .map((line, i) => `${line.slice(0, 10)} ${Math.floor(i / 4)}`)
    .join('\n');
  return filled(files);
}

describe('CelebA', () => {
  test('is 64×64 in colour, with its attributes as factors and its official split', async () => {
    const opened = await celeba.open({ dataDir: faces() });
    if (opened.kind !== 'single') throw new Error('one set was expected');
    const { data } = opened;
    expect(data.shape).toEqual({ kind: 'image', channels: 3, height: 64, width: 64 });
    expect(data.factors?.factors.map(({ name }) => name)).toEqual(['Male', 'Eyeglasses', 'Wearing_Hat']);
    expect([...select(data, 'Eyeglasses = 1 and Male = 0')]).toEqual([6, 9, 10]);
    expect(data.split).toEqual({
      train: Uint32Array.of(0, 1, 2, 3),
      validation: Uint32Array.of(4, 5, 6, 7),
      test: Uint32Array.of(8, 9, 10, 11),
    });
    expect(data.gather([3])[0]).toBeCloseTo(60 / 255, 6);
  });

  test('can be had at its full size', async () => {
    const opened = await celeba.open({ dataDir: faces(), part: 'full-size' });
    expect(opened.kind === 'single' && opened.data.shape).toEqual({
      kind: 'image',
      channels: 3,
      height: 218,
      width: 178,
    });
  });

  test('sets caps and eyeglasses, as many of each, against faces with neither', async () => {
    const opened = await celeba.open({ dataDir: faces(), part: 'caps-and-glasses', seed: 3 });
    if (opened.kind !== 'contrast') throw new Error('target and background were expected');
    const { target, background } = opened;
    // Face 11 (i = 10) has both and is in no class, so three caps remain.
    expect(target.labels).toEqual({ names: ['cap', 'eyeglasses'], values: Uint16Array.of(0, 0, 0, 1, 1, 1) });
    expect([...select(target, 'Wearing_Hat = 1 and Eyeglasses = 0')]).toEqual([0, 1, 2]);
    expect([...select(target, 'Wearing_Hat = 0 and Eyeglasses = 1')]).toEqual([3, 4, 5]);
    expect(select(background, 'Wearing_Hat = 0 and Eyeglasses = 0').length).toBe(background.length);
    expect(background.length).toBe(4);
    const again = await celeba.open({ dataDir: faces(), part: 'caps-and-glasses', seed: 3 });
    expect(again.kind === 'contrast' && again.target.fingerprint).toBe(target.fingerprint);
  });

  test('is also read from a CSV list and from a folder in the folder', async () => {
    const pixel = colourPng(178, 218, [9, 9, 9]);
    const dataDir = filled({
      'celeba/img_align_celeba/img_align_celeba/000001.jpg': pixel,
      'celeba/list_attr_celeba.csv': 'image_id,Male,Smiling\n000001.jpg,-1,1\n',
    });
    const opened = await celeba.open({ dataDir });
    expect(opened.kind === 'single' && opened.data.factors?.values).toEqual(Float32Array.of(0, 1));
  });

  test('says what is missing, and what is wrong', async () => {
    await expect(celeba.open({ dataDir: filled({}) })).rejects.toThrow('CelebA is not in the data folder');
    await expect(celeba.open({ dataDir: faces(), part: 'face' })).rejects.toMatchObject({
      message: 'There is no part of CelebA “face”.',
      hint: 'Did you mean “faces”? Known: faces, caps-and-glasses, full-size.',
    });
    const lacking = faces();
    rmSync(join(lacking, 'celeba/img_align_celeba/000002.jpg'));
    await expect(celeba.open({ dataDir: lacking })).rejects.toThrow('000002.jpg (it is not there)');
    writeFileSync(join(lacking, 'celeba/list_attr_celeba.txt'), '1\nMale Smiling\n000001.jpg 1\n');
    await expect(celeba.open({ dataDir: lacking })).rejects.toThrow(
      'has a line for 000001.jpg that is not 2 times 1 or −1.',
    );
    writeFileSync(join(lacking, 'celeba/list_attr_celeba.txt'), 'nothing');
    await expect(celeba.open({ dataDir: lacking })).rejects.toThrow('is not a list of faces and attributes.');
  });
});
