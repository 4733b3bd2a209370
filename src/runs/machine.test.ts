import { expect, test } from 'vitest';
import { theseVersions, thisMachine } from './machine.ts';

test('versions are those that are installed', () => {
  const { untangle, node, onnxruntime } = theseVersions();
  expect(untangle).toMatch(/^\d+\.\d+\.\d+/);
  expect(`v${node}`).toBe(process.version);
  expect(onnxruntime).toMatch(/^\d+\.\d+\.\d+$/);
});

test('a machine is told by platform, processor and cores', () => {
  const { platform, cpu, cores } = thisMachine();
  expect(platform).toBe(`${process.platform}-${process.arch}`);
  expect(cpu.length).toBeGreaterThan(0);
  expect(cores).toBeGreaterThanOrEqual(1);
});
