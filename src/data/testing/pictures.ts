/** Writes small pictures and folders for tests. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { encode } from 'fast-png';
import { afterAll } from 'vitest';

const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A new folder that only this file's tests use; it is gone after them. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'untangle-test-'));
  folders.push(folder);
  return folder;
}

/** Writes files by their paths inside a folder, and gives the folder back. */
export function filled(files: Record<string, string | Uint8Array>, folder = newFolder()): string {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

/** A grey PNG with the given values. */
export function greyPng(width: number, ...values: number[]): Uint8Array {
  return encode({ width, height: values.length / width, channels: 1, data: Uint8Array.from(values) });
}

/** A colour PNG of one colour. */
export function colourPng(width: number, height: number, colour: readonly [number, number, number]): Uint8Array {
  const data = Uint8Array.from({ length: width * height * 3 }, (_, i) => colour[i % 3]);
  return encode({ width, height, channels: 3, data });
}

/** A binary PGM of one grey. */
export function greyPgm(width: number, height: number, value: number): Uint8Array {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), Buffer.alloc(width * height, value)]);
}
