import { expect, test } from 'vitest';
import { filled, greyPgm } from '../testing/pictures.ts';
import { yaleB } from './yale-b.ts';

test('Extended Yale B: people are classes, lights at 100° and more are left out', async () => {
  const face = (person: string, light: string) => `yale-b/CroppedYale/${person}/${person}_P00${light}.pgm`;
  const dataDir = filled({
    [face('yaleB01', 'A+000E+00')]: greyPgm(168, 192, 51),
    [face('yaleB01', 'A-095E-40')]: greyPgm(168, 192, 102),
    [face('yaleB01', 'A+110E+15')]: greyPgm(168, 192, 9),
    [face('yaleB01', '_Ambient')]: greyPgm(640, 480, 9),
    [`${face('yaleB02', 'A+035E+40')}.bad`]: 'broken',
    [face('yaleB39', 'A+000E+90')]: greyPgm(168, 192, 204),
    'yale-b/CroppedYale/yaleB01/yaleB01_P00.info': 'list',
  });
  const opened = await yaleB.open({ dataDir });
  if (opened.kind !== 'single') throw new Error('one set was expected');
  const { data } = opened;
  expect(data.shape).toEqual({ kind: 'image', channels: 1, height: 64, width: 64 });
  expect(data.labels).toEqual({ names: ['yaleB01', 'yaleB39'], values: Uint16Array.of(0, 0, 1) });
  expect(data.factors).toEqual({
    factors: [
      { name: 'azimuth', kind: 'continuous', size: 0 },
      { name: 'elevation', kind: 'continuous', size: 0 },
    ],
    values: Float32Array.of(0, 0, -95, -40, 0, 90),
  });
  expect([0, 1, 2].map((i) => Math.round(data.gather([i])[2000] * 255))).toEqual([51, 102, 204]);
});

test('a folder without such names gets a sentence', async () => {
  const dataDir = filled({ 'CroppedYale/face.pgm': greyPgm(2, 2, 1) });
  await expect(yaleB.open({ dataDir })).rejects.toThrow(
    'holds no picture that is named like yaleB01_P00A+000E+00.pgm.',
  );
});
