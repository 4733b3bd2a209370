/** A trade-off chart: one number of each row against another, a curve for each group of rows (DIP-VAE's Fig. 1). */
import { type Drawing, lineChart } from '../pictures/index.ts';
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
      const points = arms
        .filter(({ name, cells }) => name.startsWith(group) && cells[x] && cells[y])
        .map(({ cells }) => ({ x: cells[x].mean, y: cells[y].mean }))
        .sort((a, b) => a.x - b.x);
      return { name: group.trim(), x: points.map((point) => point.x), y: points.map((point) => point.y) };
    })
    .filter((one) => one.x.length > 0);
  if (series.length === 0) return undefined;
  const label = (name: string) => `${name} (${columns.find((one) => one.name === name)?.better} is better)`;
  return lineChart({ title, series, x: { label: label(x) }, y: { label: label(y) } });
}
