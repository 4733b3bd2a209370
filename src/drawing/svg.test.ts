import { decode } from 'fast-png';
import { expect, test } from 'vitest';
import { drawing } from './drawing.ts';
import type { Raster } from './image.ts';
import { label } from './page.ts';
import { element, escaped, toSvg } from './svg.ts';
import { xmlElements } from './testing/pictures.ts';

const hostile = '<script>alert("a & b")</script> \u0000 \ud800 x';

test('text is escaped, and characters that XML forbids are left out', () => {
  expect(escaped('a < b & "c" > d')).toBe('a &lt; b &amp; &quot;c&quot; &gt; d');
  expect(escaped('a\u0000b\ud800c\ufffed')).toBe('abcd');
  expect(element('g', { 'aria-label': 'x"y', x: 1.23456, gone: undefined })).toBe(
    '<g aria-label="x&quot;y" x="1.23"/>',
  );
});

test('a drawing is well-formed whatever its labels hold', () => {
  const page = drawing(100, 50, hostile, [
    label(hostile, 5, 20, { halo: '#ffffff' }),
    { kind: 'rectangle', x: 0, y: 0, width: 5, height: 5, fill: '#000000', opacity: 0.5 },
    { kind: 'line', points: [0, 0, 10, 10], stroke: '#000000', thickness: 1, dash: [2, 3] },
    { kind: 'polygon', points: [0, 0, 10, 10, 0, 10], fill: '#000000' },
    { kind: 'disc', x: 5, y: 5, radius: 2, fill: '#000000' },
  ]);
  const names = xmlElements(toSvg(page));
  for (const name of ['svg', 'title', 'rect', 'polyline', 'polygon', 'circle', 'g', 'use'])
    expect(names).toContain(name);
  expect(names).not.toContain('script');
});

test('each letter is defined once and the words are kept as a label', () => {
  const svg = toSvg(drawing(100, 50, 'x', [label('aaab', 5, 20)]));
  expect(svg.match(/<path /g)).toHaveLength(2);
  expect(svg.match(/<use /g)).toHaveLength(4);
  expect(svg).toContain('aria-label="aaab"');
  expect(svg).not.toContain('<text');
});

test('images are embedded as PNG, pixel by pixel, and are shown with hard pixels unless smooth', () => {
  const raster: Raster = { width: 2, height: 1, data: new Uint8Array([10, 10, 10, 255, 20, 20, 20, 255]) };
  const picture = { kind: 'picture' as const, x: 0, y: 0, width: 20, height: 10, raster };
  const svg = toSvg(drawing(20, 10, 'x', [picture, { ...picture, smooth: true }]));
  const [first] = [...svg.matchAll(/base64,([^"]+)"/g)].map((match) => Buffer.from(match[1], 'base64'));
  expect([...decode(first).data]).toEqual([10, 20]);
  expect(svg.match(/image-rendering:pixelated/g)).toHaveLength(1);
});

test('the same drawing gives the same text', () => {
  const make = () => toSvg(drawing(100, 50, 'x', [label('Ångström, β', 5, 20, { weight: 'bold' })]));
  expect(make()).toBe(make());
});
