/** Line charts: linear or logarithmic, smoothed, with a reading under the pointer or by the arrow keys. */
import { useId, useMemo, useState } from 'preact/hooks';
import { smoothed } from '../../src/drawing/smoothing.ts';
import { ticksOf } from '../../src/drawing/ticks.ts';
import { numberText } from './format.ts';
import { finiteRange, isShown, nearestIndex, valueRange } from './scales.ts';
import { useWidth } from './ui.tsx';

export interface ChartSeries {
  name: string;
  /** Ascending in x. */
  x: readonly number[];
  y: readonly number[];
  /** Which of the series colours; dashes tell those apart that share one. */
  colour: number;
  /** Few and far between, such as looks at held-out items: not smoothed. */
  sparse?: boolean;
}

export interface ChartProps {
  label: string;
  series: readonly ChartSeries[];
  log?: boolean;
  /** 0 for none, towards 1 for more. */
  smoothing?: number;
  height?: number;
  xLabel?: string;
  /** What the values are. */
  yLabel?: string;
}

const margin = { top: 22, right: 10, bottom: 40, left: 56 };
const dashes = ['', '5 3', '1.5 3'];

export const colourOf = (index: number) => `var(--s${index % 7})`;
const dashOf = (index: number) => dashes[Math.floor(index / 7) % dashes.length];

export function LineChart({
  label,
  series,
  log = false,
  smoothing = 0,
  height = 260,
  xLabel = 'step',
  yLabel,
}: ChartProps) {
  const [element, width] = useWidth<HTMLDivElement>();
  const clip = useId();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [at, setAt] = useState<number>();
  const scale = log ? 'log' : 'linear';
  const lines = useMemo(
    () =>
      series.map((one) => ({
        ...one,
        smooth: smoothing > 0 && !one.sparse ? Array.from(smoothed(one.y, smoothing, scale)) : one.y,
      })),
    [series, smoothing, scale],
  );
  const shown = lines.filter(({ name }) => !hidden.has(name));
  const xs = finiteRange(shown.flatMap(({ x }) => [x[0], x[x.length - 1]]));
  const { range: ys, above } = valueRange(
    shown.flatMap(({ y, smooth: line }) => [y, line]),
    log,
  );
  const yTicks = ticksOf(ys, scale, Math.max(2, Math.floor((height - margin.top - margin.bottom) / 45)));
  const inner = {
    width: Math.max(10, width - margin.left - margin.right),
    height: height - margin.top - margin.bottom,
  };
  const xTicks = ticksOf(xs, 'linear', Math.max(2, Math.floor(inner.width / 85)));
  const toX = (value: number) => margin.left + ((value - xs[0]) / (xs[1] - xs[0] || 1)) * inner.width;
  const place = log ? Math.log10 : (value: number) => value;
  const [low, high] = ys.map(place);
  const toY = (value: number) => margin.top + (1 - (place(value) - low) / (high - low || 1)) * inner.height;
  const steps = useMemo(() => [...new Set(series.flatMap(({ x }) => x))].sort((a, b) => a - b), [series]);
  const reading = at === undefined ? undefined : steps[Math.min(at, steps.length - 1)];

  const point = (event: PointerEvent & { currentTarget: SVGSVGElement }) => {
    const left = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const wanted = xs[0] + ((left - margin.left) / inner.width) * (xs[1] - xs[0]);
    setAt(nearestIndex(steps, wanted));
  };
  const key = (event: KeyboardEvent) => {
    const move = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
    if (move === 0) return;
    event.preventDefault();
    setAt((now) => Math.min(steps.length - 1, Math.max(0, (now ?? steps.length - 1) + move)));
  };
  const toggle = (name: string) =>
    setHidden((now) => new Set(now.has(name) ? [...now].filter((one) => one !== name) : [...now, name]));

  return (
    <figure class="chart" ref={element} aria-label={label}>
      <svg
        width={width}
        height={height}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move the reading.
        tabIndex={0}
        role="img"
        aria-label={`${label}. ${reading === undefined ? 'Arrow keys read values.' : readingText(shown, reading, xLabel)}`}
        onPointerMove={point}
        onPointerLeave={() => setAt(undefined)}
        onBlur={() => setAt(undefined)}
        onKeyDown={key}
      >
        {yTicks.map(({ value: tick, text }) => (
          <g key={tick}>
            <line x1={margin.left} x2={width - margin.right} y1={toY(tick)} y2={toY(tick)} class="grid" />
            <text x={margin.left - 8} y={toY(tick) + 4} text-anchor="end">
              {text}
            </text>
          </g>
        ))}
        {xTicks.map(({ value: tick, text }) => (
          <text key={tick} x={toX(tick)} y={height - 22} text-anchor="middle">
            {text}
          </text>
        ))}
        <text x={margin.left + inner.width / 2} y={height - 5} text-anchor="middle" class="axis-name">
          {xLabel}
        </text>
        {yLabel && (
          <text x={0} y={12} class="axis-name">
            {yLabel}
          </text>
        )}
        {above !== undefined && (
          <text x={width - margin.right} y={12} text-anchor="end">
            ↑ up to {numberText(above)} in the first steps
          </text>
        )}
        <clipPath id={clip}>
          <rect x={margin.left} y={margin.top - 2} width={inner.width} height={inner.height + 4} />
        </clipPath>
        {shown.map(({ name, x, y, smooth: line, colour }) => (
          <g key={name} clip-path={`url(#${clip})`} stroke={colourOf(colour)} fill="none">
            {smoothing > 0 && <path d={pathOf(x, y, toX, toY, log)} class="raw" />}
            <path d={pathOf(x, line, toX, toY, log)} stroke-dasharray={dashOf(colour)} class="line" />
            {x.length === 1 && <circle cx={toX(x[0])} cy={toY(line[0])} r="3" fill={colourOf(colour)} />}
          </g>
        ))}
        {reading !== undefined && (
          <line class="reading" x1={toX(reading)} x2={toX(reading)} y1={margin.top} y2={height - margin.bottom} />
        )}
        {reading !== undefined &&
          shown.map(({ name, x, smooth: y, colour }) => {
            const { value, step } = readingOf(x, y, reading);
            return (
              isShown(value, log) && (
                <circle key={name} cx={toX(step)} cy={toY(value)} r="3.5" fill={colourOf(colour)} />
              )
            );
          })}
      </svg>
      <figcaption class="legend">
        {lines.map(({ name, x, smooth: y, colour }) => {
          const read = readingOf(x, y, reading);
          return (
            <button
              type="button"
              class="plain small"
              key={name}
              aria-pressed={!hidden.has(name)}
              onClick={() => toggle(name)}
              title={hidden.has(name) ? 'Show' : 'Hide'}
            >
              <svg width="18" height="8" aria-hidden="true">
                <line
                  x1="0"
                  x2="18"
                  y1="4"
                  y2="4"
                  stroke={colourOf(colour)}
                  stroke-width="2.5"
                  stroke-dasharray={dashOf(colour)}
                />
              </svg>
              {name}
              <span class="soft number">
                {numberText(read.value)}
                {reading !== undefined && read.step !== reading && ` at ${numberText(read.step)}`}
              </span>
            </button>
          );
        })}
        <span class="soft small number">{reading === undefined ? '' : `at ${xLabel} ${numberText(reading)}`}</span>
      </figcaption>
    </figure>
  );
}

/** A small curve without axes. */
export function Spark({ values, label }: { values: readonly number[]; label: string }) {
  const finite = values.filter(Number.isFinite);
  if (finite.length < 2) return <span class="soft">–</span>;
  const [low, high] = valueRange([values], false).range;
  const x = (i: number) => 1 + (i / (values.length - 1)) * 94;
  const y = (value: number) => 23 - ((value - low) / (high - low || 1)) * 20;
  return (
    <svg
      width="96"
      height="26"
      role="img"
      aria-label={`${label}: from ${numberText(finite[0])} to ${numberText(finite[finite.length - 1])}`}
    >
      <path d={pathOf([...values.keys()], values, x, y, false)} fill="none" stroke="var(--accent)" stroke-width="1.5" />
    </svg>
  );
}

/** The value at a step, or at the nearest one that was measured; without a step the last. */
function readingOf(
  x: readonly number[],
  y: readonly number[],
  at: number | undefined,
): { value: number; step: number } {
  const i = at === undefined ? x.length - 1 : nearestIndex(x, at);
  return { value: y[i], step: x[i] };
}

function pathOf(
  x: readonly number[],
  y: readonly number[],
  toX: (v: number) => number,
  toY: (v: number) => number,
  log: boolean,
): string {
  let path = '';
  let pen = false;
  for (let i = 0; i < x.length; i++) {
    if (!isShown(y[i], log)) {
      pen = false;
      continue;
    }
    path += `${pen ? 'L' : 'M'}${toX(x[i]).toFixed(1)} ${toY(y[i]).toFixed(1)}`;
    pen = true;
  }
  return path;
}

function readingText(
  series: readonly (ChartSeries & { smooth: readonly number[] })[],
  reading: number,
  xLabel: string,
): string {
  const values = series.map(({ name, x, smooth: y }) => {
    const { value, step } = readingOf(x, y, reading);
    return `${name} ${numberText(value)}${step === reading ? '' : ` at ${numberText(step)}`}`;
  });
  return `At ${xLabel} ${numberText(reading)}: ${values.join(', ')}`;
}
