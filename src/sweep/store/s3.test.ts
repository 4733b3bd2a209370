import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runHere } from '../here.ts';
import { watchLeases } from '../lease.ts';
import { openSweep } from '../sweep.ts';
import { finalWeights, pretend, pretendPlan, tinyPlan } from '../testing/pretend.ts';
import { type S3Server, startS3 } from '../testing/s3-server.ts';
import { trialFolder } from '../trial.ts';
import { folderStore } from './folder.ts';
import { s3Store } from './s3.ts';
import { signed } from './signature.ts';

const example = { key: 'AKIAIOSFODNN7EXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' };

describe('the signature of a request', () => {
  // The examples of Amazon's “Signature Calculations for the Authorization Header”.
  test.each([
    [
      'GET',
      '/test.txt',
      { range: 'bytes=0-9' },
      '',
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    ],
    [
      'PUT',
      '/test$file.text',
      { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
      'Welcome to Amazon S3.',
      '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    ],
    ['GET', '/?max-keys=2&prefix=J', {}, '', '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'],
  ])('of %s %s is Amazon’s', (method, path, headers, body, signature) => {
    const url = new URL(path, 'https://examplebucket.s3.amazonaws.com');
    const sent = { method, url, headers: headers as Record<string, string>, body: Buffer.from(body) };
    const { authorization } = signed(sent, example, 'us-east-1', new Date('2013-05-24T00:00:00Z'));
    expect(authorization.split('Signature=')[1]).toBe(signature);
  });
});

describe('a sweep in an object store', () => {
  let server: S3Server;
  let root: string;
  beforeEach(async () => {
    server = await startS3(3);
    root = await mkdtemp(join(tmpdir(), 'untangle-s3-'));
  });
  afterEach(async () => {
    server.close();
    await rm(root, { recursive: true });
  });
  /** As another machine has it: nothing is shared but the address. */
  const storeAt = (path: string) => s3Store(`s3://bucket/${path}`, server.env);

  test('makes a file once, lists page by page, and removes folders whole', async () => {
    const store = storeAt('a b');
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, i) => store.create('results/one', Buffer.from(`${i}`))),
    );
    expect(made.filter(Boolean)).toHaveLength(1);
    for (let i = 0; i < 8; i++) await store.write(`results/more/${i}`, Buffer.from('x'));
    await store.write('resultsnot', Buffer.from('x'));
    for (let i = 0; i < 5; i++) await store.write(`results/${i}`, Buffer.from('x'));
    expect((await store.list('results')).sort()).toEqual(['0', '1', '2', '3', '4', 'more', 'one']);
    expect(Buffer.from((await storeAt('a b').read('results/one')) ?? []).toString()).toBe(`${made.indexOf(true)}`);
    await store.remove('results');
    expect(await store.list('')).toEqual(['resultsnot']);
    expect(await store.read('results/one')).toBeUndefined();
  });

  test('gives a lease to one of many', async () => {
    const watches = Array.from({ length: 10 }, () => watchLeases(storeAt('leases'), 30));
    const taken = await Promise.all(watches.map((watch) => watch.take('trials/a')));
    expect(taken.filter((lease) => lease !== undefined)).toHaveLength(1);
  });

  test('takes a folder over whole, or not at all', async () => {
    const [here, there] = [storeAt('whole'), storeAt('whole')];
    await writeFile(join(await here.checkOut('run-1'), 'weights'), 'one');
    await here.checkIn('run-1');
    expect(await readFile(join(await there.checkOut('run-1'), 'weights'), 'utf8')).toBe('one');
    // A machine that died before the list of files came.
    server.objects.set('whole/run-2/weights', Buffer.from('half'));
    expect(await readdir(await there.checkOut('run-2'))).toEqual([]);
    // One that died while it sent the files anew.
    server.objects.set('whole/run-1/weights', Buffer.from('half'));
    expect(await readdir(await there.checkOut('run-1'))).toEqual([]);
  });

  test.each(['../weights', 'model/../../weights', '/weights', '..', 'model/', 'C:weights', 'model\\..\\weights'])(
    'takes nothing to %s, out of a folder',
    async (name) => {
      server.objects.set('whole/run-1/.files.json', Buffer.from(JSON.stringify({ 'log.jsonl': 'a', [name]: 'b' })));
      await expect(storeAt('whole').checkOut('run-1')).rejects.toThrow('is none of ours');
    },
  );

  test('is carried out by two machines, through a busy store and a cut network', async () => {
    const plan = await pretendPlan(12);
    const sweeps = await Promise.all([1, 2].map(() => openSweep(storeAt('two'), plan)));
    let calls = 0;
    const carrier = pretend(20, () => {
      calls++;
      if (calls % 4 === 0) server.busy = 3;
      if (calls !== 6) return;
      server.isCut = true;
      setTimeout(() => {
        server.isCut = false;
      }, 500);
    });
    expect(await Promise.all(sweeps.map((sweep) => runHere(sweep, { jobs: 2, carrier })))).toEqual([true, true]);
    expect(calls).toBe(12);
    await sweeps[0].index.refresh();
    expect(sweeps[0].index.counts()).toEqual({ open: 0, results: 12 });
  }, 30_000);

  test('goes on with the checkpoint of another machine to the same weights, bit for bit', async () => {
    const plan = await tinyPlan(1, 40);
    const halved = { ...plan, rungs: { steps: [20, 40], keep: 0.5 } };
    const calm = await openSweep(folderStore(join(root, 'calm')), plan);
    await runHere(calm, { jobs: 1 });
    // To the first rung here, then from another process's view of the store to the last.
    const first = await openSweep(storeAt('on'), { ...halved, rungs: { steps: [20], keep: 0.5 } });
    expect(await runHere(first, { jobs: 1 })).toBe(true);
    const second = await openSweep(storeAt('on'), halved);
    expect(await runHere(second, { jobs: 1 })).toBe(true);
    expect(await finalWeights(second)).toEqual(await finalWeights(calm));
    const [{ name }] = plan.configurations[0].trials;
    expect(await second.store.list(trialFolder(name))).toEqual(
      expect.arrayContaining(['lease-1.json', 'lease-2.json', 'result-20.json', 'result-40.json', 'run-2']),
    );
    expect(await second.store.list(trialFolder(name))).not.toContain('run-1');
  }, 60_000);

  test('says what is wrong with keys and buckets', async () => {
    expect(() => s3Store('s3://bucket/x', {})).toThrow('The keys of the object store are missing.');
    const wrong = s3Store('s3://bucket/x', { ...server.env, AWS_SECRET_ACCESS_KEY: 'another' });
    await expect(wrong.read('sweep.json')).rejects.toThrow('403 SignatureDoesNotMatch');
    await expect(s3Store('s3://other/x', server.env).list('trials')).rejects.toThrow('404 NoSuchBucket');
  });
});
