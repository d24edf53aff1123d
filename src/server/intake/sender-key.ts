import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { AppError } from '#contract/errors.ts';

/** Headers that carry the key: of Sentry's SDKs, of exporters, and the general one. */
const HEADERS = ['x-sentry-auth', 'authorization', 'x-hindsight-key'] as const;

/** Returns the keys of a request's headers and query; a valid request repeats at most the same one. */
export function sentKeys({ headers, query, raw }: FastifyRequest): string[] {
  // Node keeps the first `Authorization` of several, so all are read.
  const pairs = raw.rawHeaders.flatMap((name, index) =>
    index % 2 === 0 && name.toLowerCase() === 'authorization' ? [raw.rawHeaders[index + 1]!] : [],
  );
  const values = [...pairs, headers[HEADERS[0]], headers[HEADERS[2]]].flat();
  const inHeaders = values.filter((value) => value !== undefined).flatMap(keysOfHeader);
  const { sentry_key } = query as Record<string, unknown>;
  const inQuery = [sentry_key].flat().filter((value) => value !== undefined);
  return [...inHeaders, ...inQuery.map(String)];
}

/** `Sentry sentry_version=7, sentry_key=…`, `Bearer …`, or the key itself. */
function keysOfHeader(value: string): string[] {
  if (/sentry_key\s*=/i.test(value))
    return [...value.matchAll(/sentry_key\s{0,3}=\s{0,3}([^\s,]{1,100})/gi)].map((match) => match[1]!);
  return [value.replace(/^(?:Bearer|Sentry)\s+/i, '').trim()];
}

/** Returns the key in a DSN: `https://key@host/1`, with the secret that old SDKs add. Empty for any other text. */
export function dsnKey(dsn: string): string {
  return URL.parse(dsn)?.username ?? '';
}

/** Throws `unauthenticated` unless every key that was sent is the right one, and at least one was. */
export function requireKey(sent: readonly string[], key: string): void {
  if (sent.length > 0 && sent.every((value) => equals(value, key))) return;
  throw new AppError('unauthenticated', 'intake_key_invalid');
}

function equals(sent: string, key: string): boolean {
  const [a, b] = [Buffer.from(sent), Buffer.from(key)];
  return a.length === b.length && timingSafeEqual(a, b);
}
