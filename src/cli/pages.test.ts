/** Every call that a page or a help text shows is read as a shell and the command line read it. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Command, CommanderError } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { methodNamed } from '../methods/index.ts';
import { checkMetric } from '../metrics/index.ts';
import { foundPresets, studyNamed } from '../studies/index.ts';
import { resolveSettings } from '../training/session/index.ts';
import { untangleProgram } from './program.ts';

const root = resolve(import.meta.dirname, '../..');
const pages = ['README.md', 'CONTRIBUTING.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)];

/** Calls in the code blocks of a text, and, of a page, those in its sentences, where capitals and dots stand for something. */
function callsIn(text: string): string[] {
  const blocks = [...text.matchAll(/^```(?:sh)?\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
  const lines = blocks.flatMap((code) => code.replaceAll('\\\n', ' ').split('\n'));
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '');
  const inline = [...prose.matchAll(/`(untangle [^`…[\]]+)`/g)].map(([, call]) => call.replaceAll('\n', ' '));
  // What a call is piped into is no call of ours.
  const calls = [...lines, ...inline].map((line) => line.trim().replace(/ \| [^"']*$/, ''));
  return calls.filter((line) => line.startsWith('untangle '));
}

const ofPages = pages
  .filter((page) => page.endsWith('.md'))
  .flatMap((page) => callsIn(readFileSync(join(root, page), 'utf8')).map((call) => ({ page, call })));

const commandsOf = (command: Command): Command[] => [command, ...command.commands.flatMap(commandsOf)];

function ofHelp(): { page: string; call: string }[] {
  return commandsOf(untangleProgram()).flatMap((command) => {
    let help = '';
    command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
    const examples = help.slice(Math.max(0, help.search(/^Examples?:$/m)));
    const calls = examples.split('\n').flatMap((line) => /^ {2}(untangle .*?)(?: {3,}.*)?$/.exec(line)?.[1] ?? []);
    return calls.map((call) => ({ page: `${command.name()} --help`, call }));
  });
}

/** The words of a call as a shell takes them apart; nothing else that stands in its line is found, or carried out. */
function wordsOf(call: string): string[] {
  const told = join(folder, 'words');
  // A call that never comes to untangle must not be taken for the one before.
  rmSync(told, { force: true });
  // The last line gives a shell that could read the call an end without error.
  const script = `untangle() { printf '%s\\0' "$@" >"$TOLD"; }\n${call}\n:`;
  execFileSync('/bin/sh', ['-c', script], { cwd: folder, env: { PATH: '', TOLD: told }, stdio: 'ignore' });
  return readFileSync(told, 'utf8').split('\0').slice(0, -1);
}

/** Reads words as the command line does; nothing is carried out. */
async function read(
  words: readonly string[],
): Promise<{ verb: string; given: string[]; flags: Record<string, unknown> }> {
  const program = untangleProgram().configureOutput({ writeOut: () => {} });
  let called = { verb: '', given: [] as string[], flags: {} as Record<string, unknown> };
  for (const command of commandsOf(program).slice(1))
    command
      .exitOverride()
      .configureOutput({ writeErr: () => {}, writeOut: () => {} })
      .action((...all) => {
        const self: Command = all[all.length - 1];
        called = { verb: self.name(), given: self.args, flags: self.opts() };
      });
  await program.parseAsync([...words], { from: 'user' }).catch((error) => {
    if (!(error instanceof CommanderError && error.exitCode === 0)) throw error;
  });
  return called;
}

/** Whether a call only names a verb, as sentences do. */
function isVerb(call: string): boolean {
  const [, ...words] = call.split(' ');
  let command: Command | undefined = untangleProgram();
  for (const word of words) command = command?.commands.find((one) => one.name() === word);
  return command !== undefined;
}

/** What stands behind a call's words has to be there, too: methods, settings, presets, metrics, studies. */
async function check(call: string): Promise<void> {
  if (isVerb(call)) return;
  const { verb, given, flags } = await read(wordsOf(call.replaceAll('./bright.js', plugin).replace(/ N\b/g, ' 1')));
  const [first] = given;
  const isPlaceholder = first === undefined || /^[A-Z]+$/.test(first);
  const { set, preset, metrics } = flags as { set?: string[]; preset?: string; metrics?: string[] };
  if (verb === 'train' && !isPlaceholder && first !== 'METHOD')
    resolveSettings(methodNamed(first), {
      ...(set && { set }),
      ...(preset !== undefined && preset !== 'NAME' && { preset }),
      presets: foundPresets[first],
    });
  if (verb === 'methods' && !isPlaceholder) methodNamed(first);
  if (verb === 'reproduce' && !isPlaceholder) studyNamed(first);
  for (const name of metrics ?? []) checkMetric(name);
}

let folder: string;
let plugin: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'untangle-pages-'));
  plugin = join(folder, 'bright.js');
  // The page on plugins has a method of its own.
  writeFileSync(
    plugin,
    /^```js\n([\s\S]*?)^```$/m.exec(readFileSync(join(root, 'docs/plugins.md'), 'utf8'))?.[1] ?? '',
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

describe.each([
  { what: 'the pages', calls: () => ofPages },
  { what: 'the help texts', calls: ofHelp },
])('$what', ({ calls }) => {
  test('show calls that are right as they stand', async () => {
    const wrong: string[] = [];
    const all = calls();
    for (const { page, call } of all)
      await check(call).catch((error) =>
        wrong.push(`${page}: ${call}\n    ${String(error.message).split('\n').slice(-2).join(' ')}`),
      );
    expect(wrong.join('\n')).toBe('');
    expect(all.length).toBeGreaterThan(30);
  }, 60_000);
});
