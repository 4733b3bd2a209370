import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import h5wasm from 'h5wasm/node';
import { expect, test, vi } from 'vitest';
import { UntangleError } from '../../errors.ts';
import { filled, newFolder } from '../testing/pictures.ts';
import { withHdf5 } from './hdf5.ts';

async function stored(): Promise<string> {
  await h5wasm.ready;
  const path = join(newFolder(), 'a.h5');
  const file = new h5wasm.File(path, 'w');
  const data = Uint8Array.from({ length: 12 }, (_, i) => i);
  file.create_dataset({ name: 'x', data, shape: [6, 2], chunks: [4, 2], compression: 'gzip' });
  file.create_dataset({ name: 'name', data: 'text' });
  file.create_dataset({ name: 'big', data: BigInt64Array.of(1n, 2n), shape: [2] });
  file.close();
  return path;
}

test('an array tells its shape and chunks, and gives slices along its first axis', async () => {
  const read = await withHdf5(await stored(), async (array) => {
    const { shape, chunk, slice } = await array('x');
    return { shape, chunk, middle: await slice(2, 5) };
  });
  expect(read).toEqual({ shape: [6, 2], chunk: 4, middle: Uint8Array.of(4, 5, 6, 7, 8, 9) });
});

test('what is not there, or not plain numbers, gets a sentence', async () => {
  const path = await stored();
  const reading = (name: string) => withHdf5(path, async (array) => (await array(name)).slice(0, 1));
  await expect(reading('y')).rejects.toThrow('holds no array “y”.');
  await expect(reading('name')).rejects.toThrow('The array “name” of');
  await expect(reading('big')).rejects.toThrow('does not hold plain numbers.');
  await expect(withHdf5(join(newFolder(), 'none.h5'), async () => 0)).rejects.toThrow('There is no file');
});

test('a damaged file leaves no trace: whole ones are read after it and beside it', async () => {
  const path = await stored();
  const whole = readFileSync(path);
  const first = (from: string) => withHdf5(from, async (array) => (await array('x')).slice(0, 1));
  const broken = join(newFolder(), 'broken.h5');
  for (const at of [0.02, 0.3, 0.6, 0.9]) {
    const bytes = Buffer.from(whole);
    bytes.fill(0xff, Math.floor(at * bytes.length), Math.floor(at * bytes.length) + 40);
    writeFileSync(broken, bytes);
    const [damaged, beside] = await Promise.allSettled([first(broken), first(path)]);
    if (damaged.status === 'rejected') expect(damaged.reason).toBeInstanceOf(UntangleError);
    expect(beside).toEqual({ status: 'fulfilled', value: Uint8Array.of(0, 1) });
  }
});

test('a file that is no HDF5 gets a sentence and nothing is printed', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  const path = join(filled({ 'a.h5': 'hello' }), 'a.h5');
  await expect(withHdf5(path, async () => 0)).rejects.toThrow(
    "a.h5 can't be read as an HDF5 file: it is damaged, cut short or something else.",
  );
  expect(printed).not.toHaveBeenCalled();
});
