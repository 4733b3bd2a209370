import { expect, test } from 'vitest';
import { toSvg } from '../drawing/index.ts';
import type { ArmResult } from './results.ts';
import type { Column } from './study.ts';
import { drawTradeOff } from './trade-off.ts';

const columns: Column[] = [
  { name: 'error', metric: 'reconstruction', digits: 3, better: 'lower' },
  { name: 'SAP', metric: 'sap', digits: 3, better: 'higher' },
];
const arm = (name: string, error: number, sap: number): ArmResult => ({
  name,
  method: 'vae',
  runs: [],
  cells: { error: { mean: error, seeds: 1 }, SAP: { mean: sap, seeds: 1 } },
});
const chart = { title: 'A trade', x: 'error', y: 'SAP', groups: ['β-VAE', 'λ_z'] };

test('each row is marked with what its name adds to its group’s, and rows without both numbers are left out', () => {
  const arms = [arm('β-VAE 4', 1, 0.1), arm('β-VAE 16', 2, 0.2), arm('λ_z = 0.3', 3, 0.3)];
  const drawing = drawTradeOff(chart, columns, [...arms, { ...arm('β-VAE 256', 1, 1), cells: {} }]);
  const svg = drawing === undefined ? '' : toSvg(drawing);
  for (const text of ['4', '16', '0.3', 'β-VAE', 'λ_z', 'error (lower is better)', 'SAP (higher is better)']) {
    expect(svg).toContain(`aria-label="${text}"`);
  }
  expect(svg).not.toContain('aria-label="256"');
  expect(drawTradeOff(chart, columns, [])).toBeUndefined();
});
