/** Thousands of points on a canvas: pan, zoom, point at one, draw a lasso around many. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { channels } from '../../src/drawing/palette.ts';
import { theme } from './state.ts';
import { useWidth } from './ui.tsx';

export interface Points {
  /** n × 2. */
  at: Float32Array;
  /** The colour of each point, as CSS knows it, from a short list. */
  colours: readonly string[];
  colourOf: Uint8Array;
  /** 0 a disc, 1 a square, 2 a triangle: tells categories apart that share a colour. */
  markOf: Uint8Array;
}

export interface ScatterProps {
  points: Points;
  label: string;
  lasso: boolean;
  chosen: ReadonlySet<number>;
  onPoint: (index: number | undefined, place: { x: number; y: number }) => void;
  onLasso: (indices: number[]) => void;
}

interface View {
  x: number;
  y: number;
  scale: number;
}

const height = 560;

export function Scatter({ points, label, lasso, chosen, onPoint, onLasso }: ScatterProps) {
  const [element, width] = useWidth<HTMLDivElement>();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [view, setView] = useState<View>({ x: 0, y: 0, scale: 1 });
  const [path, setPath] = useState<{ x: number; y: number }[]>([]);
  const drag = useRef<{ x: number; y: number } | undefined>(undefined);
  const pinch = useRef(new Map<number, { x: number; y: number }>());
  const side = Math.min(width, height);
  const bounds = boundsOf(points.at);
  const toX = (x: number) => width / 2 + ((x - bounds.x) / bounds.half) * (side / 2 - 16) * view.scale + view.x;
  const toY = (y: number) => height / 2 - ((y - bounds.y) / bounds.half) * (side / 2 - 16) * view.scale + view.y;

  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      if (canvas.current && width > 0) draw(canvas.current, width, points, chosen, path, toX, toY);
    });
    return () => cancelAnimationFrame(frame);
  }, [points, width, view, chosen, path, theme.value]);

  const zoom = (factor: number, x: number, y: number) =>
    setView((now) => {
      const scale = Math.min(60, Math.max(0.5, now.scale * factor));
      const by = scale / now.scale;
      return {
        scale,
        x: x - width / 2 - (x - width / 2 - now.x) * by,
        y: y - height / 2 - (y - height / 2 - now.y) * by,
      };
    });
  const place = (event: MouseEvent) => {
    const box = canvas.current?.getBoundingClientRect();
    return { x: event.clientX - (box?.left ?? 0), y: event.clientY - (box?.top ?? 0) };
  };

  useEffect(() => {
    // Browsers listen to wheels passively unless told otherwise, and the page would scroll.
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      const { x, y } = place(event);
      zoom(Math.exp(-event.deltaY * 0.0015), x, y);
    };
    const { current } = canvas;
    current?.addEventListener('wheel', wheel, { passive: false });
    return () => current?.removeEventListener('wheel', wheel);
  });

  const down = (event: PointerEvent & { currentTarget: HTMLCanvasElement }) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    pinch.current.set(event.pointerId, place(event));
    drag.current = place(event);
    if (lasso) setPath([place(event)]);
  };
  const move = (event: PointerEvent) => {
    const now = place(event);
    const others = [...pinch.current].filter(([id]) => id !== event.pointerId);
    const before = pinch.current.get(event.pointerId);
    if (before) pinch.current.set(event.pointerId, now);
    if (before && others.length > 0) {
      const [, other] = others[0];
      const length = (one: { x: number; y: number }) => Math.hypot(one.x - other.x, one.y - other.y);
      zoom(length(now) / Math.max(1, length(before)), (now.x + other.x) / 2, (now.y + other.y) / 2);
    } else if (drag.current && lasso) setPath((steps) => [...steps, now]);
    else if (drag.current) {
      const { x, y } = drag.current;
      setView((old) => ({ ...old, x: old.x + now.x - x, y: old.y + now.y - y }));
      drag.current = now;
    } else onPoint(nearest(points.at, toX, toY, now), now);
  };
  const up = (event: PointerEvent) => {
    pinch.current.delete(event.pointerId);
    drag.current = undefined;
    if (path.length > 2) onLasso(inside(points.at, toX, toY, path));
    setPath([]);
  };
  const key = (event: KeyboardEvent) => {
    const moves: Record<string, () => void> = {
      ArrowLeft: () => setView((now) => ({ ...now, x: now.x + 40 })),
      ArrowRight: () => setView((now) => ({ ...now, x: now.x - 40 })),
      ArrowUp: () => setView((now) => ({ ...now, y: now.y + 40 })),
      ArrowDown: () => setView((now) => ({ ...now, y: now.y - 40 })),
      '+': () => zoom(1.25, width / 2, height / 2),
      '-': () => zoom(0.8, width / 2, height / 2),
      '0': () => setView({ x: 0, y: 0, scale: 1 }),
    };
    if (!Object.hasOwn(moves, event.key)) return;
    event.preventDefault();
    moves[event.key]();
  };

  return (
    <div ref={element} class="scatter" style={{ height: `${height}px` }}>
      <canvas
        ref={canvas}
        style={{ width: `${width}px`, height: `${height}px`, cursor: lasso ? 'crosshair' : 'grab' }}
        tabIndex={0}
        role="img"
        aria-label={`${label}. Arrow keys move, + and − zoom, 0 shows all.`}
        onPointerDown={down}
        onPointerMove={move}
        onPointerUp={up}
        onPointerCancel={up}
        onKeyDown={key}
        onPointerLeave={() => onPoint(undefined, { x: 0, y: 0 })}
        onDblClick={() => setView({ x: 0, y: 0, scale: 1 })}
      />
      <fieldset class="zoom" aria-label="Zoom">
        <button type="button" aria-label="Zoom in" onClick={() => zoom(1.4, width / 2, height / 2)}>
          +
        </button>
        <button type="button" aria-label="Zoom out" onClick={() => zoom(0.7, width / 2, height / 2)}>
          −
        </button>
        <button type="button" aria-label="Show all" onClick={() => setView({ x: 0, y: 0, scale: 1 })}>
          ⤢
        </button>
      </fieldset>
    </div>
  );
}

/** How strong points are beside chosen ones. */
const pale = 0.13;

type Place = (value: number) => number;

function draw(
  canvas: HTMLCanvasElement,
  width: number,
  { at, colours, colourOf, markOf }: Points,
  chosen: ReadonlySet<number>,
  path: readonly { x: number; y: number }[],
  toX: Place,
  toY: Place,
): void {
  const ratio = Math.min(2, devicePixelRatio);
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext('2d');
  if (!context) return;
  const style = getComputedStyle(canvas);
  const rgb = (colour: string) => channels((colour.startsWith('--') ? style.getPropertyValue(colour) : colour).trim());
  const n = at.length / 2;
  const radius = n > 4000 ? 1.8 : n > 1500 ? 2.3 : 3;
  const image = context.createImageData(canvas.width, canvas.height);
  fill(image.data, rgb('--raised'));
  const inks = colours.map(rgb);
  const masks = [0, 1, 2].map((mark) => maskOf(mark, radius * ratio));
  // What is chosen stands out by the others' paleness: a ring would look like one more category.
  const layers = chosen.size > 0 ? [false, true] : [true];
  for (const isStrong of layers)
    for (let i = 0; i < n; i++) {
      if (chosen.size > 0 && chosen.has(i) !== isStrong) continue;
      const strength = isStrong ? 1 : pale;
      blend(image, masks[markOf[i]], inks[colourOf[i]], toX(at[2 * i]) * ratio, toY(at[2 * i + 1]) * ratio, strength);
    }
  context.putImageData(image, 0, 0);
  context.scale(ratio, ratio);
  context.strokeStyle = style.getPropertyValue('--ink');
  if (path.length > 1) {
    context.beginPath();
    context.moveTo(path[0].x, path[0].y);
    for (const { x, y } of path) context.lineTo(x, y);
    context.closePath();
    context.fillStyle = style.getPropertyValue('--accent');
    context.globalAlpha = 0.12;
    context.fill();
    context.globalAlpha = 1;
    context.stroke();
  }
}

interface Mask {
  side: number;
  /** How much of each pixel the mark covers. */
  cover: Float32Array;
}

/** A mark as pixels, each looked at in sixteen places for soft edges. */
function maskOf(mark: number, radius: number): Mask {
  const side = 2 * Math.ceil(1.4 * radius) + 1;
  const isIn = (x: number, y: number) => {
    if (mark === 0) return x * x + y * y <= radius * radius;
    if (mark === 1) return Math.max(Math.abs(x), Math.abs(y)) <= 0.9 * radius;
    return y <= radius && y >= -1.4 * radius && Math.abs(x) <= (1.3 / 2.4) * (y + 1.4 * radius);
  };
  const cover = Float32Array.from({ length: side * side }, (_, pixel) => {
    let inside = 0;
    for (let k = 0; k < 16; k++) {
      const [x, y] = [(pixel % side) + (k % 4) / 4 + 0.125, Math.floor(pixel / side) + Math.floor(k / 4) / 4 + 0.125];
      if (isIn(x - side / 2, y - side / 2)) inside++;
    }
    return (0.85 * inside) / 16;
  });
  return { side, cover };
}

/** Lays a mark over the pixels around a place: ten thousand of them in a few milliseconds, where paths take a tenth of a second. */
function blend(
  { data, width, height: rows }: ImageData,
  { side, cover }: Mask,
  ink: readonly number[],
  x: number,
  y: number,
  strength: number,
): void {
  const [left, top] = [Math.round(x - side / 2), Math.round(y - side / 2)];
  if (left < 0 || top < 0 || left + side > width || top + side > rows) return;
  for (let r = 0, k = 0; r < side; r++) {
    let pixel = 4 * ((top + r) * width + left);
    for (let c = 0; c < side; c++, k++, pixel += 4) {
      const share = strength * cover[k];
      if (share === 0) continue;
      data[pixel] += (ink[0] - data[pixel]) * share;
      data[pixel + 1] += (ink[1] - data[pixel + 1]) * share;
      data[pixel + 2] += (ink[2] - data[pixel + 2]) * share;
    }
  }
}

function fill(data: Uint8ClampedArray, [red, green, blue]: readonly number[]): void {
  new Uint32Array(data.buffer).fill(((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0);
}

function boundsOf(at: Float32Array): { x: number; y: number; half: number } {
  let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < at.length; i += 2) {
    left = Math.min(left, at[i]);
    right = Math.max(right, at[i]);
    low = Math.min(low, at[i + 1]);
    high = Math.max(high, at[i + 1]);
  }
  return { x: (left + right) / 2, y: (low + high) / 2, half: Math.max(right - left, high - low) / 2 || 1 };
}

/** The point under the pointer, within a few pixels. */
function nearest(at: Float32Array, toX: Place, toY: Place, { x, y }: { x: number; y: number }): number | undefined {
  let [found, best] = [-1, 12 ** 2];
  for (let i = 0; i < at.length / 2; i++) {
    const distance = (toX(at[2 * i]) - x) ** 2 + (toY(at[2 * i + 1]) - y) ** 2;
    if (distance < best) [found, best] = [i, distance];
  }
  return found < 0 ? undefined : found;
}

/** The points inside a polygon, by the even-odd rule. */
function inside(at: Float32Array, toX: Place, toY: Place, path: readonly { x: number; y: number }[]): number[] {
  const found: number[] = [];
  for (let i = 0; i < at.length / 2; i++) {
    const [x, y] = [toX(at[2 * i]), toY(at[2 * i + 1])];
    let isIn = false;
    for (let a = 0, b = path.length - 1; a < path.length; b = a++) {
      const [p, q] = [path[a], path[b]];
      if (p.y > y !== q.y > y && x < ((q.x - p.x) * (y - p.y)) / (q.y - p.y) + p.x) isIn = !isIn;
    }
    if (isIn) found.push(i);
  }
  return found;
}
