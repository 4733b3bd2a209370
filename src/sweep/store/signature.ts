/**
 * Amazon's signature of requests, version 4, as S3 wants it: a request's method, path, query, headers and body are hashed in a fixed
 * form, and signed by a key that is derived from the secret for the day, the region and the service.
 */
import { createHash, createHmac } from 'node:crypto';

export interface Credentials {
  key: string;
  secret: string;
  /** Of credentials that end. */
  token?: string;
}

export interface Unsigned {
  method: string;
  url: URL;
  /** Headers that are signed along; `host` and those of the signature itself are added. */
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array;
}

/**
 * The headers with which a request goes out.
 *
 * @example await fetch(url, { headers: signed({ method: 'GET', url }, credentials, 'eu-west-1', new Date()) })
 */
export function signed(
  { method, url, headers = {}, body }: Unsigned,
  { key, secret, token }: Credentials,
  region: string,
  at: Date,
): Record<string, string> {
  const time = at.toISOString().replace(/[:-]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const hash = sha256(body ?? '');
  const all: Record<string, string> = {
    ...headers,
    host: url.host,
    'x-amz-content-sha256': hash,
    'x-amz-date': time,
    ...(token !== undefined && { 'x-amz-security-token': token }),
  };
  const names = Object.keys(all)
    .map((name) => name.toLowerCase())
    .sort();
  const byName = new Map(Object.entries(all).map(([name, value]) => [name.toLowerCase(), value.trim()]));
  const query = [...url.searchParams]
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .sort()
    .join('&');
  const path = url.pathname.split('/').map((part) => escaped(decodeURIComponent(part)));
  const request = [
    method,
    path.join('/'),
    query,
    ...names.map((name) => `${name}:${byName.get(name)}`),
    '',
    names.join(';'),
    hash,
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(request)].join('\n');
  const dayKey = [region, 's3', 'aws4_request'].reduce<Buffer>(hmac, hmac(`AWS4${secret}`, day));
  const signature = hmac(dayKey, text).toString('hex');
  const { host: _, ...sent } = all;
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${key}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`,
  };
}

/** As a signature has it: all but letters, digits and -._~ in percents. */
const escaped = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex');

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
