import { createHash, createHmac, type Hmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Headers with the hex HMAC-SHA256 of the body: GitHub, Gitea, Sentry, and plain JSON senders. */
const SIGNATURE_HEADERS = [
  'x-hub-signature-256',
  'x-gitea-signature',
  'sentry-hook-signature',
  'x-hindsight-signature',
];
/** Headers with the secret itself: GitLab, and senders that cannot sign. */
const SECRET_HEADERS = ['x-gitlab-token', 'authorization'];

/** Incremental HMAC of a streamed body. */
export function createHmacSigner(secret: string): Hmac {
  return createHmac('sha256', secret);
}

/**
 * True when the headers contain the secret or the expected signature of the body. Compares in constant time.
 */
export function isAuthentic(
  headers: IncomingHttpHeaders,
  expectedSignature: string,
  secret: string,
): boolean {
  const signatures = SIGNATURE_HEADERS.map((name) => singleValue(headers[name])?.replace(/^sha256=/, ''));
  const secrets = SECRET_HEADERS.map((name) => singleValue(headers[name])?.replace(/^Bearer /i, ''));
  const matches = [
    ...signatures.map((actual) => actual !== undefined && equalsInConstantTime(actual, expectedSignature)),
    ...secrets.map((actual) => actual !== undefined && equalsInConstantTime(actual, secret)),
  ];
  return matches.includes(true);
}

/** A repeated header is ignored. */
function singleValue(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function equalsInConstantTime(actual: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(actual), digest(expected));
}
