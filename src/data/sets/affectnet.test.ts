import { encode } from 'fast-png';
import { expect, test } from 'vitest';
import { select } from '../conditions/condition.ts';
import { filled } from '../testing/pictures.ts';
import { affectnet } from './affectnet.ts';

const header = 'subDirectory_filePath,face_x,face_y,face_width,face_height,facial_landmarks,expression,valence,arousal';

/** A picture of 20×30 that is blue but for the face's box, which is red to the given level. */
function face(red: number): Uint8Array {
  const data = Uint8Array.from({ length: 20 * 30 * 3 }, (_, at) => {
    const [x, y, c] = [Math.floor(at / 3) % 20, Math.floor(at / 60), at % 3];
    const inside = x >= 2 && x < 12 && y >= 3 && y < 15;
    return inside ? [red, 0, 0][c] : [0, 0, 255][c];
  });
  return encode({ width: 20, height: 30, channels: 3, data });
}

function dataDir(): string {
  const files: Record<string, string | Uint8Array> = {};
  const line = (i: number, expression: number) => {
    files[`affectnet/Manually_Annotated_Images/${i % 2}/${i}.png`] = face(i * 10);
    return `${i % 2}/${i}.png,2,3,10,12,1.5;2.5,${expression},${i / 10},-0.5`;
  };
  files['affectnet/training.csv'] = [header, ...[0, 1, 0, 7, 9, 1, 0].map((e, i) => line(i, e))].join('\n');
  files['affectnet/validation.csv'] = [3, 10].map((e, i) => line(i + 7, e)).join('\n');
  return filled(files);
}

test('AffectNet: expressions against neutral faces, 96×96 in colour', async () => {
  const opened = await affectnet.open({ dataDir: dataDir(), seed: 1 });
  if (opened.kind !== 'contrast') throw new Error('target and background were expected');
  const { target, background } = opened;
  expect(target.shape).toEqual({ kind: 'image', channels: 3, height: 96, width: 96 });
  expect([target.length, background.length]).toEqual([3, 3]);
  expect(select(target, 'label in happiness,contempt').length).toBe(3);
  expect(select(background, 'label = neutral').length).toBe(3);
  expect(target.factors?.factors.map(({ name }) => name)).toEqual(['valence', 'arousal']);
  // A face's red tells which it is, and so does its valence; nothing of what surrounds it is seen.
  for (let i = 0; i < 3; i++) {
    const valence = target.factors?.values[2 * i] ?? 0;
    const image = target.gather([i]);
    expect(image[0] * 255).toBeCloseTo(valence * 100, 3);
    expect(Math.max(...image.subarray(2 * 96 * 96))).toBe(0);
  }
});

test('AffectNet as one set: faces without an expression left out, a list without a header read, the lists as split', async () => {
  const opened = await affectnet.open({ dataDir: dataDir(), part: 'faces', size: 8 });
  if (opened.kind !== 'single') throw new Error('one set was expected');
  expect([...(opened.data.labels?.values ?? [])]).toEqual([0, 1, 0, 7, 1, 0, 3]);
  expect(opened.data.split).toEqual({ train: Uint32Array.of(0, 1, 2, 3, 4, 5), test: Uint32Array.of(6) });
});

test('a list that names no expression gets a sentence', async () => {
  const bad = (csv: string) => filled({ 'affectnet/training.csv': csv, 'affectnet/Manually_Annotated_Images/x': '' });
  await expect(affectnet.open({ dataDir: bad(`${header}\na.png,1,1,1,1,,happy,0,0\n`) })).rejects.toThrow(
    'line 2, does not name a file and an expression.',
  );
  await expect(affectnet.open({ dataDir: bad('subDirectory_filePath,x\na.png,1\n') })).rejects.toThrow(
    'has no column expression.',
  );
  await expect(affectnet.open({ dataDir: bad(`${header}\na.png,1,1,1,1,,10,0,0\n`) })).rejects.toThrow(
    'names no face with an expression.',
  );
});
