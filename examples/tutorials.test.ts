/** The tutorials as a reader follows them: every command, in the order of the page, in a folder of its own. Trainings are cut short. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { encodePng } from '../src/drawing/index.ts';
import { stream } from '../src/random/index.ts';

const root = join(import.meta.dirname, '..');
const tutorials = join(root, 'docs', 'tutorials');

/** The commands of a page, and the files that it shows with their names. */
function told(name: string): { commands: string[]; files: Map<string, string> } {
  const text = readFileSync(join(tutorials, `${name}.md`), 'utf8');
  const blocks = (language: string) =>
    [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, code]) => code);
  const files = blocks('yaml').map((code): [string, string] => [/^# (\S+)/.exec(code)?.[1] ?? '', code]);
  return { commands: blocks('sh').flatMap((code) => code.trim().split('\n')), files: new Map(files) };
}

const short = (text: string) =>
  text
    .replace(/--steps \d+/g, '--steps 12')
    .replace(/steps: \d+/g, 'steps: 12')
    .replace('own-method.js 200', 'own-method.js 50');

function photographs(folder: string): void {
  mkdirSync(folder);
  for (let i = 0; i < 60; i++) {
    const noise = stream(1, 'photo', i);
    const [width, height] = [70 + (i % 3), 66];
    const data = Uint8Array.from({ length: width * height * 4 }, (_, k) =>
      k % 4 === 3 ? 255 : 128 + 20 * noise.normal(),
    );
    writeFileSync(join(folder, `${i}.png`), encodePng({ width, height, data }));
  }
}

function measures(file: string): void {
  const noise = stream(1, 'measures');
  const rows = Array.from({ length: 200 }, (_, i) => {
    const [size, marker] = [noise.normal(), i % 2 === 0 ? 2 * noise.normal() : 0];
    const values = [size, size + 0.3 * noise.normal(), marker + 0.3 * noise.normal(), noise.normal()];
    return [`p${i >> 1}`, i % 2 === 0 ? 'yes' : 'no', ...values.map((value) => value.toFixed(4))].join();
  });
  writeFileSync(file, `person,ill,height,weight,marker,other\n${rows.join('\n')}\n`);
}

/** Runs a command as a shell would; its output, or what went wrong. */
function follow(command: string, folder: string): Promise<string> {
  const main = join(root, 'dist', 'cli', 'main.js');
  const line = short(command)
    .replace(/^untangle /, `'${process.execPath}' '${main}' `)
    .replace(/^node /, `'${process.execPath}' `);
  const env = { ...process.env, UNTANGLE_DATA: join(folder, 'data'), UNTANGLE_ZOO: join(root, 'zoo') };
  return new Promise((done) => {
    execFile('/bin/sh', ['-c', line], { cwd: folder, env }, (error, _, err) => done(error ? `${command}\n${err}` : ''));
  });
}

const names = readdirSync(tutorials).map((name) => name.replace(/\.md$/, ''));

test.concurrent.each(names)(
  'the commands of “%s” run as they stand',
  async (name) => {
    const folder = mkdtempSync(join(tmpdir(), 'untangle-tutorial-'));
    try {
      photographs(join(folder, 'photos'));
      measures(join(folder, 'measures.csv'));
      const { commands, files } = told(name);
      for (const [file, text] of files) writeFileSync(join(folder, file), short(text));
      // A program of the examples runs in a clone.
      const own = name === 'own-method' ? root : folder;
      expect(commands.length).toBeGreaterThan(0);
      for (const command of commands) {
        // Python has a test of its own, since not every machine has it.
        if (command.startsWith('python3')) continue;
        expect(await follow(command, own)).toBe('');
      }
      if (name === 'own-photographs') expect(existsSync(join(folder, 'photos-page', 'index.html'))).toBe(true);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  300_000,
);
