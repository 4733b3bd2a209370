/** Charts over runs: a metric against reconstruction, as in DIP-VAE's Fig. 1, and parallel coordinates for many runs. */
import { useState } from 'preact/hooks';
import { ticksOf } from '../../src/drawing/ticks.ts';
import { colourOf } from './chart.tsx';
import { numberText } from './format.ts';
import { href } from './router.ts';
import { finiteRange } from './scales.ts';
import { useWidth } from './ui.tsx';

export interface TradeOffPoint {
  name: string;
  x: number;
  y: number;
  colour: number;
}

const margin = { top: 24, right: 90, bottom: 42, left: 56 };

export function TradeOff({
  points,
  xTitle,
  yTitle,
}: {
  points: readonly TradeOffPoint[];
  xTitle: string;
  yTitle: string;
}) {
  const [element, width] = useWidth<HTMLDivElement>();
  const height = 320;
  const [xs, ys] = [roomy(points.map(({ x }) => x)), roomy(points.map(({ y }) => y))];
  const toX = (value: number) =>
    margin.left + ((value - xs[0]) / (xs[1] - xs[0])) * (width - margin.left - margin.right);
  const toY = (value: number) =>
    height - margin.bottom - ((value - ys[0]) / (ys[1] - ys[0])) * (height - margin.top - margin.bottom);
  const xTicks = ticksOf(xs, 'linear', Math.max(2, Math.floor(width / 140)));
  const yTicks = ticksOf(ys, 'linear', 5);
  return (
    <figure class="chart" ref={element}>
      <svg
        width={width}
        height={height}
        role="img"
        aria-label={`${yTitle} against ${xTitle}: ${points.map(({ name, x, y }) => `${name} ${numberText(x)}, ${numberText(y)}`).join('; ')}`}
      >
        {yTicks.map(({ value: tick, text }) => (
          <g key={tick}>
            <line class="grid" x1={margin.left} x2={width - margin.right} y1={toY(tick)} y2={toY(tick)} />
            <text x={margin.left - 8} y={toY(tick) + 4} text-anchor="end">
              {text}
            </text>
          </g>
        ))}
        {xTicks.map(({ value: tick, text }) => (
          <text key={tick} x={toX(tick)} y={height - margin.bottom + 18} text-anchor="middle">
            {text}
          </text>
        ))}
        <text x={(margin.left + width - margin.right) / 2} y={height - 4} text-anchor="middle" class="axis-name">
          {xTitle}
        </text>
        <text x={0} y={10} class="axis-name">
          {yTitle}
        </text>
        {points.map(({ name, x, y, colour }) => (
          <a key={name} href={href('runs', name)} aria-label={`${name}: ${numberText(x)}, ${numberText(y)}`}>
            <circle cx={toX(x)} cy={toY(y)} r="5.5" fill={colourOf(colour)} />
            <text x={toX(x) + 10} y={toY(y) + 4} class="label">
              {name.length > 18 ? `${name.slice(0, 17)}…` : name}
            </text>
          </a>
        ))}
      </svg>
    </figure>
  );
}

export interface Axis {
  title: string;
  values: readonly (number | undefined)[];
}

/** A line for each run across axes of settings and metrics. */
export function ParallelCoordinates({ names, axes }: { names: readonly string[]; axes: readonly Axis[] }) {
  const [element, width] = useWidth<HTMLDivElement>();
  const [lit, setLit] = useState<string>();
  const height = 300;
  const wide = Math.max(width, axes.length * 96);
  const [top, bottom, side] = [34, height - 30, 46];
  const toX = (k: number) => side + (k / Math.max(1, axes.length - 1)) * (wide - 2 * side);
  const ranges = axes.map(({ values }) =>
    roomy(
      values.filter((one) => one !== undefined),
      0,
    ),
  );
  const toY = (k: number, one: number) =>
    bottom - ((one - ranges[k][0]) / (ranges[k][1] - ranges[k][0])) * (bottom - top);
  const pathOf = (run: number) => {
    let path = '';
    for (const [k, { values }] of axes.entries()) {
      const one = values[run];
      if (one !== undefined && Number.isFinite(one))
        path += `${path === '' || axes[k - 1]?.values[run] === undefined ? 'M' : 'L'}${toX(k)} ${toY(k, one)}`;
    }
    return path;
  };
  return (
    <figure class="chart" ref={element}>
      <div class="scroll">
        <svg
          width={wide}
          height={height}
          role="img"
          aria-label={`Runs over ${axes.map(({ title }) => title).join(', ')}; the tables above hold the numbers.`}
        >
          {axes.map(({ title }, k) => (
            <g key={title}>
              <line class="axis" x1={toX(k)} x2={toX(k)} y1={top} y2={bottom} />
              <text x={toX(k)} y={14} text-anchor="middle" class="label">
                {title.length > 14 ? `${title.slice(0, 13)}…` : title}
              </text>
              <text x={toX(k)} y={28} text-anchor="middle">
                {numberText(ranges[k][1])}
              </text>
              <text x={toX(k)} y={height - 12} text-anchor="middle">
                {numberText(ranges[k][0])}
              </text>
            </g>
          ))}
          {names.map((name, run) => (
            <path
              key={name}
              d={pathOf(run)}
              fill="none"
              stroke={colourOf(run)}
              stroke-width={lit === name ? 3.5 : 1.8}
              opacity={lit && lit !== name ? 0.2 : 0.9}
              onPointerEnter={() => setLit(name)}
              onPointerLeave={() => setLit(undefined)}
            >
              <title>{name}</title>
            </path>
          ))}
        </svg>
      </div>
      <figcaption class="legend lines">
        {names.map((name, run) => (
          <button
            type="button"
            key={name}
            class="plain small"
            aria-pressed={lit === name}
            onPointerEnter={() => setLit(name)}
            onPointerLeave={() => setLit(undefined)}
            onClick={() => setLit(lit === name ? undefined : name)}
          >
            <svg width="18" height="8" aria-hidden="true">
              <line x1="0" x2="18" y1="4" y2="4" stroke={colourOf(run)} stroke-width="2.5" />
            </svg>
            {name}
          </button>
        ))}
      </figcaption>
    </figure>
  );
}

/** A range with some room at its ends. */
function roomy(values: readonly number[], share = 0.08): [number, number] {
  const [low, high] = finiteRange(values);
  if (high === low) return [low - (Math.abs(low) || 1) * 0.1, high + (Math.abs(high) || 1) * 0.1];
  return [low - (high - low) * share, high + (high - low) * share];
}
