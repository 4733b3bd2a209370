/** The studio's server: listens on this machine alone, keeps the trainings, and closes them all with a checkpoint. */
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import { codeOf } from '../errno.ts';
import { UntangleError } from '../errors.ts';
import { studioApp } from './app.ts';
import { newToken } from './guard.ts';
import { Jobs } from './jobs.ts';
import { RunIndex } from './runs.ts';
import { appFolder } from './static.ts';
import { Trainer } from './trainer.ts';
import { Workshop } from './workshop.ts';

export interface StudioOptions {
  /** The folder of runs. */
  root: string;
  /** A free one near the usual one, if not given. */
  port?: number;
  /** Where the built pages are, if not in their usual place. */
  app?: string;
}

export interface Studio {
  address: string;
  port: number;
  /** How many trainings are under way. */
  trainings(): number;
  /** Stops the trainings with a checkpoint each, and ends. */
  close(): Promise<void>;
}

const usualPort = 6480;

/**
 * Serves the studio until it is closed.
 *
 * @example const { address, close } = await openStudio({ root: 'runs' })
 */
export async function openStudio({ root: given, port, app = appFolder() }: StudioOptions): Promise<Studio> {
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
    token: newToken(),
    port: () => address?.port ?? 0,
    runs,
    trainer,
    jobs,
    looking,
    preparing,
    app,
    closing: closing.signal,
  });
  const server = createAdaptorServer({ fetch: routes.fetch });
  // The first page should not wait for the first look at many runs.
  await runs.list();
  address = await listen(server, port);
  return {
    address: `http://127.0.0.1:${address.port}/`,
    port: address.port,
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
