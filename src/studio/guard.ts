/**
 * Who may talk to the studio: whoever was given its address, which holds a key. The first visit puts the key into a cookie that
 * no script can read and no other site can send; without it nothing of a run or of the data is told, so that other users of the
 * machine, who reach the port too, get nothing. A foreign Host tells of a name that was bent to this machine (DNS rebinding), a
 * foreign Origin of another site's page; whatever changes something carries the session's token too.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { refused } from './answers.ts';
import { tokenHeader } from './wire.ts';

/** What a page may load and do: nothing from anywhere else. */
export const contentPolicy = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "img-src 'self' blob: data:",
  "style-src 'self' 'unsafe-inline'",
  "worker-src 'self' blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

export const newToken = (): string => randomBytes(32).toString('base64url');

/** What the key is called in the address that the studio prints. */
export const keyInAddress = 'token';

/** What opens a studio, and what its pages show when they change something. */
export interface Keys {
  key: string;
  token: string;
}

/** Refuses what does not come from the studio's own pages; `port` is known once the server listens. */
export function guard({ key, token }: Keys, port: () => number): MiddlewareHandler {
  return async (c, next) => {
    const hosts = ['127.0.0.1', 'localhost', '[::1]'].map((host) => `${host}:${port()}`);
    const host = c.req.header('host')?.toLowerCase() ?? '';
    if (!hosts.includes(host)) return refused(c, 403, 'The studio answers only under its own address.');
    const origin = c.req.header('origin')?.toLowerCase();
    if (origin !== undefined && !hosts.some((own) => origin === `http://${own}`))
      return refused(c, 403, 'The studio answers only to its own pages.');
    // Cookies belong to a host, whatever the port: two studios keep theirs apart by the name.
    const cookie = `untangle-${port()}`;
    const given = c.req.query(keyInAddress);
    if (c.req.method === 'GET' && c.req.path === '/' && given !== undefined) {
      if (!isToken(given, key)) return refused(c, 403, strangers, howToEnter);
      setCookie(c, cookie, key, { httpOnly: true, sameSite: 'Strict', path: '/' });
      // Out of the address, where it would be seen and kept.
      return c.redirect('/');
    }
    const isKnown = isToken(getCookie(c, cookie), key) || isToken(c.req.header('authorization'), `Bearer ${key}`);
    if (c.req.path.startsWith('/api/') && !isKnown) return refused(c, 403, strangers, howToEnter);
    if (!['GET', 'HEAD'].includes(c.req.method) && !isToken(c.req.header(tokenHeader), token))
      return refused(c, 403, 'The session’s token is missing or wrong.', 'Load the page again.');
    await next();
    return undefined;
  };
}

const strangers = 'The studio answers only to whoever opened it by its whole address.';
const howToEnter = 'Open the address with the token that “untangle studio” printed when it was started.';

/** Headers that every answer has, unless it has its own. */
export const secured: MiddlewareHandler = async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(headers)) if (!c.res.headers.has(name)) c.res.headers.set(name, value);
};

const headers = {
  'content-security-policy': contentPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

function isToken(given: string | undefined, token: string): boolean {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}
