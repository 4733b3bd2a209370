/**
 * A trade-off chart: one number of each row against another, a mark for each row with what its name adds to its group's, and each
 * group joined in the order of its rows (DIP-VAE's Fig. 1).
 */
import { type Drawing, scatterChart } from '../drawing/index.ts';
import type { ArmResult } from './results.ts';
import type { Column, TradeOff } from './study.ts';

/** Undefined where no row has both numbers. */
export function drawTradeOff(
  { title, x, y, groups }: TradeOff,
  columns: readonly Column[],
  arms: readonly ArmResult[],
): Drawing | undefined {
  const series = groups
    .map((group) => {
      const rows = arms.filter(({ name, cells }) => name.startsWith(group) && cells[x] && cells[y]);
      const points = rows.map(({ name, cells }) => ({
        x: cells[x].mean,
        y: cells[y].mean,
        label: name.slice(group.length).replace('=', '').trim(),
        xDeviation: cells[x].deviation,
        yDeviation: cells[y].deviation,
      }));
      return { name: group.trim(), points, joined: true };
    })
    .filter(({ points }) => points.length > 0);
  if (series.length === 0) return undefined;
  const label = (name: string) => `${name} (${columns.find((one) => one.name === name)?.better} is better)`;
  const across = series.flatMap(({ points }) => points.map((point) => point.x));
  const isWide = Math.min(...across) > 0 && Math.max(...across) > 5 * Math.min(...across);
  return scatterChart({
    title,
    series,
    x: { label: label(x), scale: isWide ? 'log' : undefined },
    y: { label: label(y) },
  });
}
