import { expect, test } from 'vitest';
import { variance } from '../../analysis/index.ts';
import { stream } from '../../random/index.ts';
import { trainBriefly } from '../../training/testing/briefly.ts';
import { classMeans, distance, drawnOfClasses, heaps, meanPicture, middleShapes } from '../testing/classes.ts';
import { acGan } from './ac-gan.ts';
import { cgan } from './cgan.ts';

const count = 200;

test.each([cgan, acGan])(
  '$title draws points of the class that it is asked for, and not one point alone',
  async (method) => {
    const { session } = await trainBriefly(method, {
      data: heaps(),
      set: ['learningRate=1e-3', 'latents=4'],
      steps: 400,
    });
    const pictures = await drawnOfClasses(session, count, stream(1, 'noise').normals(count * 4));
    const [left, right] = pictures.map((rows) => meanPicture(rows, count));
    expect(left[0]).toBeLessThan(-0.5);
    expect(right[0]).toBeGreaterThan(0.5);
    // The heaps have a deviation of 0.3.
    for (const rows of pictures) expect(Math.sqrt(variance(rows.filter((_, at) => at % 2 === 1)))).toBeGreaterThan(0.1);
    await session.close();
  },
  60_000,
);

test.each([cgan, acGan])(
  '$title comes to draw what looks like shapes on the whole',
  async (method) => {
    const { session, data } = await trainBriefly(method, {
      data: await middleShapes(),
      set: ['batchSize=32'],
      steps: 0,
    });
    const means = classMeans(data);
    const noise = stream(1, 'noise').normals(count * 64);
    const away = async () => {
      const pictures = await drawnOfClasses(session, count, noise);
      const each = pictures.map((rows, k) => distance(meanPicture(rows, count), means[k]));
      return each.reduce((sum, one) => sum + one, 0) / each.length;
    };
    const before = await away();
    for (let step = 0; step < 60; step++) await session.step();
    expect(await away()).toBeLessThan(0.75 * before);
    await session.close();
  },
  60_000,
);
