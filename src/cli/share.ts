/** `untangle push`, `pull`, `zoo list` and `zoo get`: models that go to others and come from them. */
import { join } from 'node:path';
import { findRun } from '../runs/index.ts';
import { callOf } from '../shell.ts';
import * as use from '../use/index.ts';
import type { GetFlags, PullFlags, PushFlags } from './sharing-verbs.ts';
import { print, printJson, say } from './terminal.ts';

export async function push(meant: string, repo: string, { public: isPublic, json }: PushFlags): Promise<void> {
  const run = await findRun(meant);
  say('What is sent says where the data lay (run.json) and, of a table, its columns and categories (model.json).');
  const pushed = await use.push(run, repo, { isPublic: isPublic === true, onNote: say });
  if (json) printJson({ run: run.name, repo, ...pushed });
  else
    print(
      `${run.name} is at ${pushed.address}: ${pushed.files.length} files, ${pushed.sent} of them sent apart from the commit.`,
    );
}

export async function pull(repo: string, { out, revision, json }: PullFlags): Promise<void> {
  const folder = out ?? join('runs', repo.split('/').at(-1) ?? repo);
  const { run, commit } = await use.pull(repo, folder, { revision, onNote: say });
  if (json) printJson({ repo, commit, run: run.name, folder });
  else tellOf(folder, run.name);
}

export async function listZoo({ json }: { json?: boolean }): Promise<void> {
  const models = await use.listZoo();
  if (json) {
    printJson(models.map(({ name, about, train }) => ({ name, about, command: callOf('train', ...train) })));
    return;
  }
  const wide = Math.max(...models.map(({ name }) => name.length));
  print(models.map(({ name, about }) => `${name.padEnd(wide)}  ${about}`).join('\n'));
  say('\n“untangle zoo get NAME” puts a model into runs/.');
}

export async function getModel(name: string, { out, json }: GetFlags): Promise<void> {
  const folder = out ?? join('runs', name);
  const run = await use.getModel(name, folder);
  if (json) printJson({ name, run: run.name, folder });
  else tellOf(folder, run.name);
}

function tellOf(folder: string, name: string): void {
  print(`${name} is in ${folder}.`);
  say(`Look:  ${callOf('picture', folder, 'traversal')}`);
  say(`Move:  ${callOf('export', folder, 'site')}`);
}
