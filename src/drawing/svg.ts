/**
 * A drawing as an SVG file that stands alone: images are embedded, and text is drawn with our own outlines, each letter
 * defined once, with the words kept as labels for search and for screen readers.
 */
import { type Drawing, type DrawnShape, haloWidth, type Text } from './drawing.ts';
import { layOut } from './font.ts';
import type { Raster } from './image.ts';
import { encodePng } from './png.ts';

type Attributes = Record<string, string | number | undefined>;

/**
 * One element. Attribute values are escaped; children are SVG already.
 *
 * @example element('title', {}, [escaped('a < b')]) // '<title>a &lt; b</title>'
 */
export function element(name: string, attributes: Attributes, children: string[] = []): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? short(value) : escaped(String(value))}"`);
  const opening = `<${name}${written.join('')}`;
  return children.length === 0 ? `${opening}/>` : `${opening}>${children.join('')}</${name}>`;
}

/** Text as it may stand between tags or in an attribute; characters that XML forbids are left out. */
export function escaped(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"]/g, (character) => entities[character]);
}

/** The drawing as an SVG document. */
export function toSvg(drawing: Drawing): string {
  const glyphs = new Map<string, string>();
  const embedded = new Map<Raster, string>();
  const body = drawing.shapes.map((shape) => shapeElement(shape, glyphs, embedded));
  const definitions = [...glyphs].map(([id, outline]) => element('path', { id, d: outline }));
  const { width, height } = drawing;
  const parts = [
    element('title', {}, [escaped(drawing.title)]),
    ...(definitions.length > 0 ? [element('defs', {}, definitions)] : []),
    element('rect', { width, height, fill: drawing.background }),
    ...body,
  ];
  const root = { xmlns: 'http://www.w3.org/2000/svg', width, height, viewBox: `0 0 ${width} ${height}`, role: 'img' };
  return `${element('svg', root, [`\n${parts.join('\n')}\n`])}\n`;
}

function shapeElement(shape: DrawnShape, glyphs: Map<string, string>, embedded: Map<Raster, string>): string {
  const { opacity } = shape.kind === 'text' || shape.kind === 'picture' ? {} : shape;
  switch (shape.kind) {
    case 'rectangle': {
      const { x, y, width, height, fill } = shape;
      return element('rect', { x, y, width, height, fill, opacity });
    }
    case 'polygon':
      return element('polygon', { points: pairs(shape.points), fill: shape.fill, opacity });
    case 'disc':
      return element('circle', { cx: shape.x, cy: shape.y, r: shape.radius, fill: shape.fill, opacity });
    case 'line':
      return element('polyline', {
        points: pairs(shape.points),
        fill: 'none',
        stroke: shape.stroke,
        'stroke-width': shape.thickness,
        'stroke-linecap': 'round',
        'stroke-linejoin': 'round',
        'stroke-dasharray': shape.dash?.join(' '),
        opacity,
      });
    case 'picture': {
      const { x, y, width, height, raster } = shape;
      const data = embedded.get(raster) ?? `data:image/png;base64,${base64(encodePng(raster))}`;
      embedded.set(raster, data);
      const style = shape.smooth ? undefined : 'image-rendering:pixelated';
      return element('image', { x, y, width, height, preserveAspectRatio: 'none', style, href: data });
    }
    case 'text':
      return textElement(shape, glyphs);
  }
}

function textElement(shape: Text, glyphs: Map<string, string>): string {
  const { placed, length } = layOut(shape.text, shape.weight);
  const unit = shape.size / 1000;
  const start = shape.anchor === 'start' ? 0 : shape.anchor === 'middle' ? -length / 2 : -length;
  const letters = placed.map(({ character, x, outline }) => {
    const id = `${shape.weight}-${character.codePointAt(0)?.toString(16)}`;
    glyphs.set(id, outline);
    return element('use', { href: `#${id}`, x: Math.round(x + start) });
  });
  const turn = shape.turn ? ` rotate(${short(shape.turn)})` : '';
  const transform = `translate(${short(shape.x)} ${short(shape.y)})${turn} scale(${Number(unit.toFixed(5))})`;
  const word = element('g', { 'aria-label': shape.text, fill: shape.fill, transform }, letters);
  if (shape.halo === undefined) return word;
  const rim = {
    stroke: shape.halo,
    'stroke-width': haloWidth / unit,
    'stroke-linejoin': 'round',
    'aria-hidden': 'true',
  };
  return element('g', { ...rim, transform }, letters) + word;
}

function pairs(points: number[]): string {
  return points.map(short).join(' ');
}

/** Hundredths of a pixel are finer than anybody sees. */
function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}

export function base64(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(text);
}
