import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type Run, readStatus, verifyRun, writeEvaluation } from '../runs/index.ts';
import { handMadeRun } from '../runs/testing/hand-made.ts';
import { cardOf } from './export.ts';
import { pull, push } from './hub.ts';
import { HubClient } from './hub-client.ts';
import { type HubServer, openHub } from './testing/hub-server.ts';

const token = 'hf_secret';
let root: string;
let hub: HubServer;
let run: Run;
let hubOptions: { endpoint: string; token: string };
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'untangle-hub-'));
  hub = await openHub(token);
  run = await handMadeRun(root);
  // What watches wrote, and a checkpoint, stay at home.
  writeFileSync(join(run.folder, 'notes.txt'), 'mine');
  writeFileSync(join(run.folder, 'log.jsonl'), '{"step":1,"epoch":1,"seconds":1,"terms":{}}\n'.repeat(400));
  hubOptions = { endpoint: hub.url, token };
});
afterEach(async () => {
  await hub.close();
  rmSync(root, { recursive: true });
});

const large = ['log.jsonl', 'model/decoder.onnx', 'model/encoder.onnx', 'model/model.json', 'run.json'];

test('a run goes to a hub and comes back byte for byte, with a card', async () => {
  const { files, address } = await push(run, 'ann/first', hubOptions);
  expect(address).toBe(`${hub.url}/ann/first/commit/1`);
  expect(files).not.toContain('notes.txt');
  expect(hub.isPrivate.get('ann/first')).toBe(true);
  expect([...hub.repositories.get('ann/first')!.keys()].sort()).toEqual([...files].sort());

  const { run: back, commit } = await pull('ann/first', join(root, 'pulled'), hubOptions);
  expect(commit).toBe('c0ffee');
  const made = ['manifest.json', 'model', 'status.json'];
  expect(readdirSync(back.folder, { recursive: true }).sort()).toEqual([...files, ...made].sort());
  expect(await verifyRun(back.folder)).toMatchObject({ hasManifest: true, isWhole: true });
  expect(await readStatus(back.folder)).toMatchObject({ state: 'done' });
  for (const path of files.filter((name) => name !== 'README.md'))
    expect(readFileSync(join(back.folder, path)).equals(readFileSync(join(run.folder, path)))).toBe(true);
  expect(readFileSync(join(back.folder, 'README.md'), 'utf8')).toBe(await cardOf(run));

  // A second push of the same has nothing left to send apart from its commit, and may make nothing private again.
  expect((await push(run, 'ann/first', hubOptions)).sent).toBe(0);
  await push(run, 'ann/open', { ...hubOptions, isPublic: true });
  expect(hub.isPrivate.get('ann/open')).toBe(false);
});

test('an upload that breaks off goes on with what is missing', async () => {
  hub.breaksAfter = 8;
  await expect(push(run, 'ann/first', hubOptions)).rejects.toThrow(/connection .* broke off/);
  expect(hub.repositories.get('ann/first')!.size).toBe(0);
  hub.breaksAfter = Number.POSITIVE_INFINITY;
  hub.requests.length = 0;
  const { sent, files } = await push(run, 'ann/first', hubOptions);
  expect(sent).toBeGreaterThan(0);
  expect(sent).toBeLessThan(large.length);
  expect(hub.repositories.get('ann/first')!.size).toBe(files.length);
});

test('a download that breaks off goes on where it was', async () => {
  await push(run, 'ann/first', hubOptions);
  hub.cutsAt = 1000;
  const { run: back } = await pull('ann/first', join(root, 'pulled'), hubOptions);
  expect(hub.cutsAt).toBeUndefined();
  for (const path of large)
    expect(readFileSync(join(back.folder, path)).equals(readFileSync(join(run.folder, path)))).toBe(true);
});

test('a wrong token is refused with a sentence that does not hold it', async () => {
  const wrong = push(run, 'ann/first', { endpoint: hub.url, token: 'hf_wrong' });
  await expect(wrong).rejects.toThrow('The hub does not accept this token for ann/first.');
  await expect(wrong).rejects.toMatchObject({ kind: 'call', hint: expect.stringContaining('HF_TOKEN') });
  const error = await wrong.catch((thrown: Error) => thrown);
  expect(JSON.stringify([error, (error as Error).stack])).not.toContain('hf_wrong');
});

test('a model that is not there, a name that is none and a folder that is full are told', async () => {
  await expect(pull('ann/none', join(root, 'pulled'), hubOptions)).rejects.toThrow('The hub has no model “ann/none”');
  await expect(pull('../none', join(root, 'pulled'), hubOptions)).rejects.toThrow('“../none” is no name of a model');
  await push(run, 'ann/first', hubOptions);
  await expect(pull('ann/first', root, hubOptions)).rejects.toThrow('is not empty');
});

test('nothing of a repository leads out of the new folder', async () => {
  await push(run, 'ann/first', hubOptions);
  hub.repositories
    .get('ann/first')!
    .set('../evil.json', Buffer.from('{}'))
    .set('model/../../evil.json', Buffer.from('{}'));
  await pull('ann/first', join(root, 'deep', 'pulled'), hubOptions);
  expect(readdirSync(join(root, 'deep'))).toEqual(['pulled']);
});

test('no more is fetched than was announced, and nothing that no run has', async () => {
  const { files } = await push(run, 'ann/first', hubOptions);
  const client = new HubClient(hub.url, hubOptions.token);
  expect(files).toContain('run.json');
  await expect(client.fetch('ann/first', 'c0ffee', 'run.json', 5)).rejects.toThrow('is longer than was said');
  await expect(client.fetch('ann/first', 'c0ffee', 'run.json', 2 ** 40)).rejects.toThrow('is larger than any file');
});

test('a card opens with what a hub reads, the measures in it', async () => {
  const mig = {
    name: 'mig',
    title: 'MIG',
    version: '1',
    better: 'higher',
    describe: 'MIG',
    seed: 0,
    score: 0.25,
  } as const;
  const scores = { results: [{ ...mig, options: {}, parts: {}, notes: [] }], leftOut: [] };
  await writeEvaluation(run.folder, { step: 1, part: 'test', items: 100, scores });
  const [, yaml] = (await cardOf(run)).split('---\n');
  const head = parse(yaml);
  expect(head).toMatchObject({
    library_name: 'untangle',
    tags: expect.arrayContaining(['disentanglement', 'by-hand']),
  });
  expect(head['model-index'][0].results[0]).toMatchObject({
    dataset: { split: 'test' },
    metrics: [{ type: 'mig', name: 'MIG', value: 0.25 }],
  });
});
