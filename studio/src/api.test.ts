import { afterEach, expect, test, vi } from 'vitest';
import { ApiError, api } from './api.ts';

/** The calls that a page makes, answered as the server would. */
function answered(answers: Record<string, unknown>, status = 200): Request[] {
  const calls: Request[] = [];
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    calls.push(new Request(new URL(path, 'http://127.0.0.1'), init));
    return Response.json(answers[path] ?? { token: 'one-time' }, { status: path in answers ? status : 200 });
  });
  return calls;
}
afterEach(() => vi.unstubAllGlobals());

test('numbers that JSON lacks arrive as numbers: a metric that is not a number is not taken for a word', async () => {
  answered({
    '/api/runs': [{ name: 'a', state: 'done', metrics: { mig: 'NaN', sap: 0.5 }, loss: [], files: { model: true } }],
    '/api/runs/a/log': { lines: [{ step: 1, epoch: 1, seconds: 1, terms: { loss: 'Infinity' } }] },
  });
  expect((await api.runs())[0].metrics).toEqual({ mig: Number.NaN, sap: 0.5 });
  expect((await api.log('a'))[0].terms).toEqual({ loss: Number.POSITIVE_INFINITY });
});

test('names of runs and pictures are safe in an address, and what changes something carries the token', async () => {
  expect(api.pictureUrl('a b/c', 'über.png', 3)).toBe('/api/runs/a%20b%2Fc/pictures/%C3%BCber.png?v=3');
  const calls = answered({ '/api/runs/50%25/names': { names: {} } });
  await api.nameDimension('50%', 'z', 2, 'tilt');
  expect(calls.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET http://127.0.0.1/api/session',
    'PUT http://127.0.0.1/api/runs/50%25/names',
  ]);
  expect(calls[1].headers.get('x-untangle-token')).toBe('one-time');
  expect(await calls[1].json()).toEqual({ block: 'z', index: 2, name: 'tilt' });
});

test('what the server refuses is thrown with its sentence and its hint', async () => {
  answered({ '/api/runs/a/stop': { error: '“a” is not being trained.', hint: 'Start it first.' } }, 409);
  const error: unknown = await api.stop('a').catch((thrown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ message: '“a” is not being trained.', hint: 'Start it first.' });
});
