/** The pages: the built web app, packed as it is built, with types, and ages that let a browser keep what can't change. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context } from 'hono';
import { UntangleError } from '../errors.ts';
import { builtFile } from '../orders.ts';
import { safeJoin } from '../runs/index.ts';
import { fileAnswer, packedAnswer, refused } from './answers.ts';

/** The folder of the built web app; undefined if it is not built. */
export function appFolder(): string | undefined {
  try {
    return dirname(fileURLToPath(builtFile('studio-app/index.html')));
  } catch (error) {
    if (error instanceof UntangleError) return undefined;
    throw error;
  }
}

/** A file of the web app. Names under `assets/` hold a hash of the content, so they are good for ever. */
export async function appFile(c: Context, folder: string | undefined): Promise<Response> {
  if (folder === undefined)
    return c.text('The studio’s pages are not built. Run “npm run build” first.\n', 503, {
      'cache-control': 'no-store',
    });
  const missing = () => refused(c, 404, 'There is no such page.');
  let path: string;
  try {
    const asked = decodeURIComponent(c.req.path);
    path = asked === '/' ? join(folder, 'index.html') : await safeJoin(folder, asked.replace(/^\//, ''));
  } catch {
    return missing();
  }
  const isHashed = /\/assets\/[^/]+-[\w-]{8,}\.\w+$/.test(c.req.path);
  const age = { 'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache' };
  return (await fileAnswer(c, path, age)) ?? (await packedAnswer(c, path, age)) ?? missing();
}
