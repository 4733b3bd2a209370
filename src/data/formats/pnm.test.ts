import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UntangleError } from '../../errors.ts';
import { decodePnm, readPnmHeader } from './pnm.ts';

const bytes = (header: string, ...samples: number[]) => Uint8Array.from([...Buffer.from(header, 'latin1'), ...samples]);

test('a grey map in binary has one byte a pixel, row by row', () => {
  expect(decodePnm(bytes('P5\n3 2\n255\n', 0, 1, 2, 3, 254, 255), 'a.pgm')).toEqual({
    channels: 1,
    height: 2,
    width: 3,
    data: Uint8Array.of(0, 1, 2, 3, 254, 255),
  });
});

test('a pixmap comes out as a red, a green and a blue plane', () => {
  expect(decodePnm(bytes('P6 2 1 255\n', 1, 2, 3, 4, 5, 6), 'a.ppm')).toEqual({
    channels: 3,
    height: 1,
    width: 2,
    data: Uint8Array.of(1, 4, 2, 5, 3, 6),
  });
});

test('numbers as text say the same as bytes, comments left out', () => {
  const text = bytes('P2\n# by hand\n3 2 # size\n15\n0 1 2\n# half way\n13 14 15\n');
  expect(decodePnm(text, 'a.pgm').data).toEqual(Uint8Array.of(0, 17, 34, 221, 238, 255));
  expect(decodePnm(bytes('P3 1 1 255 10 20 30'), 'a.ppm').data).toEqual(Uint8Array.of(10, 20, 30));
});

test('sixteen bits, high byte first, are scaled to eight', () => {
  const picture = decodePnm(bytes('P5\n2 2\n65535\n', 0, 0, 255, 255, 128, 0, 0, 129), 'a.pgm');
  expect(picture.data).toEqual(Uint8Array.of(0, 255, 128, 1));
  expect(decodePnm(bytes('P5\n1 1\n1000\n', 500 >> 8, 500 & 255), 'a.pgm').data).toEqual(Uint8Array.of(128));
});

test('what is wrong gets a sentence', () => {
  const message = (input: Uint8Array) => {
    try {
      decodePnm(input, 'a.pgm');
    } catch (error) {
      if (error instanceof UntangleError) return error.message;
    }
    return 'no error';
  };
  const begin = "a.pgm can't be read as a picture: ";
  expect(message(bytes('P9 1 1 1\n', 0))).toBe(`${begin}it does not begin with P2, P3, P5 or P6.`);
  expect(message(bytes('P5 2'))).toBe(`${begin}its header lacks a width, height or maximum.`);
  expect(message(bytes('P5 0 2 255\n'))).toBe(`${begin}its header says 0×2 pixels.`);
  expect(message(bytes('P5 2 2 70000\n'))).toBe(
    `${begin}its header says a maximum of 70000, and 1 to 65535 are possible.`,
  );
  expect(message(bytes('P5 2 2 255\n', 1, 2, 3))).toBe(`${begin}it is cut short, as 14 bytes can't hold 2×2 pixels.`);
  expect(message(bytes('P2 2 1 255\n7 x'))).toBe(`${begin}it holds 1 of 2 samples.`);
  expect(message(bytes('P2 2 1 9\n7 10'))).toBe(`${begin}a sample is 10, above its maximum of 9.`);
});

test('a header that claims a giant picture is refused before anything is allocated', () => {
  for (const header of ['P5 99999 99999 255\n', 'P6 4000000000 4000000000 255\n', 'P5 67108865 1 255\n'])
    expect(() => readPnmHeader(bytes(header), 'a.pgm')).toThrow('67 million are allowed');
});

test('broken bytes give a picture of the claimed size or a sentence', () => {
  const start = fc.constantFrom('P2 2 2 255\n', 'P3 1 2 9\n', 'P5\n3 3\n255\n', 'P6 2 2 65535\n', 'P5 ', 'P');
  fc.assert(
    fc.property(start, fc.uint8Array({ maxLength: 40 }), fc.nat(60), (header, rest, cut) => {
      const input = bytes(header, ...rest).subarray(0, cut);
      try {
        const { channels, height, width, data } = decodePnm(input, 'a.pgm');
        expect(data.length).toBe(channels * height * width);
        expect(data.length).toBeLessThanOrEqual(input.length);
      } catch (error) {
        expect(error).toBeInstanceOf(UntangleError);
      }
    }),
    { numRuns: 2000 },
  );
});
