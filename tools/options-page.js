// @ts-check
/**
 * Writes docs/options.md, every setting that there is, from the schemas that check them: `npm run build && node tools/options-page.js`.
 * With “-” it is printed.
 */
import { writeFileSync } from 'node:fs';
import { markdownTable } from '../dist/markdown.js';
import { methods } from '../dist/methods/index.js';
import { metrics } from '../dist/metrics/index.js';
import { expectation, isSchedulable, jsonSchemaOf, propertyOf, trainOptions } from '../dist/options/index.js';
import { schemaOf } from '../dist/training/session/index.js';

/** The page as the schemas have it. */
function optionsPage() {
  const all = Object.values(methods);
  const training = without(schemaOf(all[0]), Object.keys(all[0].options));
  const common = commonOptions();
  return [
    '# Options',
    '',
    'Every setting with its default and what it takes. This page is written by `tools/options-page.js` from the schemas that check',
    'settings, and a test compares it with them. A number with ↗ may be on a [schedule](training.md), such as `linear(0,4,10000)`.',
    '',
    '## What a run is asked for',
    '',
    'By flags of `untangle train` (`backgroundWhere` is `--background-where`), or by these names in a config file.',
    '',
    tableOf(trainOptions),
    '',
    '## Training',
    '',
    'For every method, by `--set NAME=VALUE`, or in a config file.',
    '',
    tableOf(training),
    '',
    '## Methods',
    '',
    'By `--set NAME=VALUE`, too. With * what is ours and not the paper’s. Most methods have these:',
    '',
    tableOf(common),
    ...all.flatMap((method) => ['', `### ${method.name}`, '', ...sectionOf(method, common)]),
    '',
    '## Metrics',
    '',
    'By `--set METRIC.NAME=VALUE` of `untangle evaluate` and `untangle score`.',
    ...Object.values(metrics)
      .filter(({ options }) => Object.keys(options).length > 0)
      .flatMap(({ name, options }) => ['', `### ${name}`, '', tableOf(options)]),
    '',
  ].join('\n');
}

/** @typedef {import('../dist/options/index.js').Options} Options */

/** @param {Options} options @param {readonly string[]} names @returns {Options} */
const without = (options, names) =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !names.includes(name)));

/** @param {import('../dist/options/index.js').Option} option */
const spelled = (option) => JSON.stringify(propertyOf(option));

/** The options that more than half of the methods have alike. @returns {Options} */
function commonOptions() {
  const all = Object.values(methods);
  const isCommon = (/** @type {string} */ name, /** @type {string} */ text) =>
    all.filter(({ options }) => options[name] && spelled(options[name]) === text).length > all.length / 2;
  const entries = all.flatMap(({ options }) => Object.entries(options));
  return Object.fromEntries(entries.filter(([name, option]) => isCommon(name, spelled(option))));
}

/** @param {import('../dist/methods/index.js').Method} method @param {Options} common */
function sectionOf({ options, ours, presets }, common) {
  const alike = Object.keys(common).filter((name) => options[name] && spelled(options[name]) === spelled(common[name]));
  const own = without(options, alike);
  const quoted = (/** @type {string[]} */ names) => names.map((name) => `\`${name}\``).join(', ');
  const sentences = [
    ...(alike.length > 0 ? [`${quoted(alike)} as above.`] : []),
    ...(Object.keys(presets).length > 0 ? [`Presets: ${quoted(Object.keys(presets))}.`] : []),
  ];
  return [...(Object.keys(own).length > 0 ? [tableOf(own, ours), ''] : []), sentences.join(' ')];
}

/** @param {Options} options @param {readonly string[]} ours */
function tableOf(options, ours = []) {
  const rows = Object.entries(jsonSchemaOf(options).properties).map(
    ([name, { default: standard, description = '' }]) => [
      `\`${name}\`${isSchedulable(options[name]) ? ' ↗' : ''}${ours.includes(name) ? ' *' : ''}`,
      standard === undefined ? '' : `\`${typeof standard === 'string' ? standard : JSON.stringify(standard)}\``,
      expectation(options[name]).replace(', or a schedule such as linear(0,1,1000)', ''),
      description,
    ],
  );
  return markdownTable(['option', 'default', 'takes', 'meaning'], rows);
}

if (process.argv[2] === '-') process.stdout.write(optionsPage());
else writeFileSync(new URL('../docs/options.md', import.meta.url), optionsPage());
