/** The tables of options in the docs say what the schemas say, from which flags, files and forms are read. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Method, methods } from '../src/methods/index.ts';
import { metrics } from '../src/metrics/index.ts';
import { isSchedulable, type Options, propertyOf, type StoredValue } from '../src/options/index.ts';

const page = (name: string) => readFileSync(join(import.meta.dirname, '..', 'docs', name), 'utf8');
const cellsOf = (row: string) =>
  row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
const quoted = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word);
/** The rows of the tables in a text whose heads begin like that. */
const tablesOf = (text: string, head: string) =>
  [...text.matchAll(/(?:^\|.*\n)+/gm)]
    .map(([table]) => table.trim().split('\n'))
    .filter(([first]) => first.startsWith(head))
    .flatMap((lines) => lines.slice(2).map(cellsOf));
const spelled = (value: StoredValue | undefined) => (value === null ? 'none' : `${value}`);
const defaultOf = (options: Options, name: string) => spelled(propertyOf(options[name]).default);

test('docs/options.md is what the schemas say: “npm run build && node tools/options-page.js” writes it', () => {
  const written = execFileSync(process.execPath, [join(import.meta.dirname, 'options-page.js'), '-'], {
    encoding: 'utf8',
  });
  expect(page('options.md')).toBe(written);
});

test('the tables of the page on metrics name every option of their metric, with its default', () => {
  const sections = page('metrics.md').split(/^## /m);
  const told = sections.flatMap((section) => {
    const rows = tablesOf(section, '| option | default');
    const metric = Object.values(metrics).find(({ title }) => title.startsWith(section.split('\n')[0]));
    return rows.length === 0 ? [] : [{ metric, rows }];
  });
  expect(told.map(({ metric }) => metric?.name)).toEqual(['sap', 'z-diff', 'factor-vae']);
  for (const { metric, rows } of told) {
    if (metric === undefined) continue;
    const pairs = rows.flatMap(([names, standards]) =>
      quoted(names).map((name, i) => [name, standards.split(', ')[i].replaceAll('`', '')]),
    );
    expect(pairs.map(([name]) => name).sort()).toEqual(Object.keys(metric.options).sort());
    // By classifier, the weight of Z-diff's loss is one or the other.
    const plain = pairs.filter(([, standard]) => !standard.includes(' or '));
    expect(plain.map(([name, standard]) => [name, `${Number(standard) || standard}`])).toEqual(
      plain.map(([name]) => [name, defaultOf(metric.options, name)]),
    );
  }
});

test('the table of methods for unlabelled data names their own options, defaults, schedules and presets', () => {
  const rows = tablesOf(page('methods-unsupervised.md'), '| method | minimises | options');
  expect(rows.length).toBeGreaterThan(10);
  for (const [names, , cell, presets] of rows) {
    const { options, presets: known }: Method = methods[quoted(names)[0]];
    expect(quoted(presets), names).toEqual(Object.keys(known));
    const told = [
      ...cell.matchAll(/`(\w+)`(?: (?:w = )?([\d.e-]+|linear\([\d,]+\)|weighted|branches))?( two halves)?( ↗)?/g),
    ];
    for (const [, name, standard, , arrow] of told) {
      expect(Object.keys(options), names).toContain(name);
      expect([name, arrow !== undefined]).toEqual([name, isSchedulable(options[name])]);
      if (standard !== undefined)
        expect([name, `${Number(standard) || standard}`]).toEqual([name, defaultOf(options, name)]);
    }
    // What a row takes over from another is not told again.
    const own = Object.keys(options).filter((name) => !Object.hasOwn(methods.vae.options, name));
    if (!/the same|both/.test(cell)) expect(told.map(([, name]) => name).sort(), names).toEqual(own.sort());
  }
});

test('the tables of contrastive methods give the defaults of each method that has the option', () => {
  const rows = tablesOf(page('methods-contrastive.md'), '| option | default');
  const family = Object.values(methods).filter(({ needs }) => needs === 'target+background');
  const [plain, special] = [rows.filter(([head]) => !head.includes('(')), rows.filter(([head]) => head.includes('('))];
  const named = (head: string) => quoted(head.replace(/\(.*\)/, ''));
  const isSpecial = (method: string, option: string) =>
    special.some(([head]) => named(head).includes(option) && quoted(head.replace(/.*\(/, '')).includes(method));
  const check = (method: Method, name: string, told: string) =>
    expect([method.name, name, told]).toEqual([method.name, name, defaultOf(method.options, name)]);
  for (const [head, standards] of special)
    for (const method of quoted(head.replace(/.*\(/, '')))
      for (const [i, name] of named(head).entries())
        check(methods[method], name, standards.split(', ')[i].replaceAll('`', ''));
  for (const [head, cell] of plain) {
    const others = quoted(/\((.*)\)/.exec(cell)?.[1] ?? '');
    const isOther = ({ name }: Method) => others.includes(name) || (cell.includes('Rb-VAE') && name.includes('rb-vae'));
    const standards = cell.replace(/ \(.*\)/, '').split(', ');
    named(head).forEach((name, i) => {
      const having = family.filter(
        (method) => method.options[name] && !isOther(method) && !isSpecial(method.name, name),
      );
      expect(having.length, name).toBeGreaterThan(0);
      for (const method of having) check(method, name, standards[i].replaceAll('`', ''));
    });
  }
});

test('the table of PartedVAE has the numbers of its presets', () => {
  const rows = tablesOf(page('methods-classes.md'), '| option | meaning | MNIST');
  const { options, presets } = methods['parted-vae'];
  for (const [head, , ...columns] of rows)
    columns.forEach((cell, column) => {
      const preset: Record<string, unknown> = presets[['mnist', 'dsprites', 'celeba'][column]];
      const line = /^(\d+) to (\d+) in ([\d,]+)/
        .exec(cell)
        ?.slice(1)
        .map((one) => one.replace(',', ''));
      const numbers = line ? [`linear(${line})`] : cell.split(', ');
      if (!line && !/^[\d., ]+$/.test(cell)) return;
      for (const [i, name] of quoted(head).entries())
        expect([name, numbers[i] ?? numbers[0]]).toEqual([name, `${preset[name] ?? defaultOf(options, name)}`]);
    });
  expect(rows.length).toBeGreaterThan(7);
});
