/** What the tests of pictures share: small images, and ways to ask a drawing or a raster what it shows. */
import { type Drawing, type DrawnShape, extent, type PlacedRaster } from '../drawing.ts';
import type { Images, Raster } from '../image.ts';

/** `count` grey images of `size` × `size`; image i is filled with i/count unless told. */
export function greys(count: number, size = 4, value = (i: number) => i / count): Images {
  const values = new Float32Array(count * size * size).map((_, i) => value(Math.floor(i / (size * size))));
  return { values, shape: { kind: 'image', channels: 1, height: size, width: size }, range: 'unit' };
}

/** Red, green, blue and opacity of a pixel. */
export function pixel({ width, data }: Raster, x: number, y: number): number[] {
  return [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)];
}

export function textsOf(drawing: Drawing): string[] {
  return drawing.shapes.filter((shape) => shape.kind === 'text').map(({ text }) => text);
}

export function picturesOf(drawing: Drawing): PlacedRaster[] {
  return drawing.shapes.filter((shape) => shape.kind === 'picture');
}

export function shapesOf<K extends DrawnShape['kind']>(drawing: Drawing, kind: K): Extract<DrawnShape, { kind: K }>[] {
  return drawing.shapes.filter((shape): shape is Extract<DrawnShape, { kind: K }> => shape.kind === kind);
}

/** The texts that run over the page's edge. */
export function cutTexts(drawing: Drawing): string[] {
  return drawing.shapes
    .filter((shape) => shape.kind === 'text')
    .filter((text) => {
      const { left, right, top, bottom } = extent(text);
      return left < 0 || top < 0 || right > drawing.width || bottom > drawing.height;
    })
    .map(({ text }) => text);
}

/** The tops and the left ends of the pictures, each once and in order: a grid's rows and columns. */
export function gridOf(drawing: Drawing): { rows: number[]; columns: number[] } {
  const sorted = (values: number[]) => [...new Set(values)].sort((a, b) => a - b);
  const pictures = picturesOf(drawing);
  return { rows: sorted(pictures.map(({ y }) => y)), columns: sorted(pictures.map(({ x }) => x)) };
}

/**
 * The names of all elements of an XML text; throws where it is not well-formed. Knows what our writer may write: elements,
 * attributes in double quotes, character data and the five entities.
 */
export function xmlElements(xml: string): string[] {
  const text = '(?:[^<>&"]|&(?:amp|lt|gt|quot|apos);)*';
  const token = new RegExp(`<(/?)([\\w-]+)((?:\\s+[\\w:-]+="${text}")*)\\s*(/?)>|(${text})`, 'y');
  const open: string[] = [];
  const names: string[] = [];
  while (token.lastIndex < xml.length) {
    const at = token.lastIndex;
    const match = token.exec(xml);
    if (match === null || token.lastIndex === at) throw new Error(`not XML at ${at}: ${xml.slice(at, at + 60)}`);
    const [, closing, name, , empty] = match;
    if (name === undefined) continue;
    if (closing !== '' && open.pop() !== name) throw new Error(`</${name}> closes nothing, at ${at}`);
    if (closing === '') {
      names.push(name);
      if (empty === '') open.push(name);
    }
  }
  if (open.length > 0) throw new Error(`<${open.join('> <')}> is not closed`);
  return names;
}
