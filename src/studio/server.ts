/** The studio's server: listens on this machine alone, keeps the trainings, and closes them all with a checkpoint. */
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import { codeOf } from '../errno.ts';
import { UntangleError } from '../errors.ts';
import { studioApp } from './app.ts';
import { keyInAddress, newToken } from './guard.ts';
import { Jobs } from './jobs.ts';
import { RunIndex } from './runs.ts';
import { appFolder } from './static.ts';
import { Trainer } from './trainer.ts';
import { Workshop } from './workshop.ts';

export interface StudioOptions {
  /** The folder of runs. */
  root: string;
  /** A free one near the usual one, if not given. */
  port?: number | undefined;
  /** The folders in which pages may name data; where the studio is started, and the folder of runs, if not given. */
  dataRoots?: readonly string[] | undefined;
  /** What opens the studio; a new one at each start if not given. */
  key?: string;
  /** Where the built pages are, if not in their usual place. */
  app?: string;
}

export interface Studio {
  /** The address with the key, by which it is opened. */
  address: string;
  port: number;
  /** What a program sends as `authorization: Bearer KEY`. */
  key: string;
  /** How many trainings are under way. */
  trainings(): number;
  /** Stops the trainings with a checkpoint each, and ends. */
  close(): Promise<void>;
}

const usualPort = 6480;
/** A page holds a few; the rest is for many pages, and never for whoever opens as many as there may be. */
const mostConnections = 300;
/** How long a request may take to arrive, in milliseconds: its headers, and all of it. */
const patience = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 2_000 };

/**
 * Serves the studio until it is closed.
 *
 * @example const { address, close } = await openStudio({ root: 'runs' })
 */
export async function openStudio({
  root: given,
  port,
  dataRoots = [process.cwd(), given],
  key = process.env.UNTANGLE_STUDIO_TOKEN || newToken(),
  app = appFolder(),
}: StudioOptions): Promise<Studio> {
  const root = resolve(given);
  const trainer = new Trainer();
  const jobs = new Jobs();
  const [looking, preparing] = [new Workshop(), new Workshop()];
  const runs = new RunIndex(root, {
    training: (name) => trainer.underway(name),
    work: (name) => jobs.of(name),
  });
  const closing = new AbortController();
  let address: AddressInfo | undefined;
  const routes = studioApp({
    root,
    keys: { key, token: newToken() },
    dataRoots: dataRoots.map((folder) => resolve(folder)),
    port: () => address?.port ?? 0,
    runs,
    trainer,
    jobs,
    looking,
    preparing,
    app,
    closing: closing.signal,
  });
  const server = createAdaptorServer({ fetch: routes.fetch, serverOptions: patience });
  server.maxConnections = mostConnections;
  // The first page should not wait for the first look at many runs.
  await runs.list();
  address = await listen(server, port);
  return {
    address: `http://127.0.0.1:${address.port}/?${keyInAddress}=${key}`,
    port: address.port,
    key,
    trainings: () => trainer.count,
    async close() {
      closing.abort();
      const closed = new Promise((done) => server.close(done));
      if ('closeAllConnections' in server) server.closeAllConnections();
      jobs.close();
      looking.close();
      preparing.close();
      await trainer.close();
      await closed;
    },
  };
}

/** Listens on a port; without a choice on the usual one, or on any if that is taken. */
async function listen(server: ReturnType<typeof createAdaptorServer>, port?: number): Promise<AddressInfo> {
  const attempt = (wanted: number) =>
    new Promise<AddressInfo>((done, fail) => {
      server.once('error', fail);
      server.listen(wanted, '127.0.0.1', () => {
        server.off('error', fail);
        const address = server.address();
        if (address === null || typeof address === 'string') fail(new UntangleError('The studio has no address.'));
        else done(address);
      });
    });
  try {
    return await attempt(port ?? usualPort);
  } catch (error) {
    if (port === undefined) return await attempt(0);
    const reason =
      codeOf(error) === 'EADDRINUSE'
        ? 'is taken by another program'
        : codeOf(error) === 'EACCES'
          ? 'is reserved for the system'
          : 'can’t be listened on';
    throw new UntangleError(`Port ${port} ${reason}.`, {
      kind: 'call',
      hint: 'Give another --port, or none for a free one.',
      cause: error,
    });
  }
}
