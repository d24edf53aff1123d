import { createHash, createHmac, type Hmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Headers with an HMAC-SHA256 of the body in hex: GitHub, Gitea, Sentry, and our own for plain JSON. */
const SIGNATURES = [
  'x-hub-signature-256',
  'x-gitea-signature',
  'sentry-hook-signature',
  'x-hindsight-signature',
];
/** Headers with the secret itself: GitLab, and programs that cannot sign. */
const SECRETS = ['x-gitlab-token', 'authorization'];

/** Signs a body while it arrives. */
export function createHmacSigner(secret: string): Hmac {
  return createHmac('sha256', secret);
}

/**
 * Whether a webhook comes from somebody who knows the secret, by the signature in hex that its body must have. Takes
 * the same time wherever it differs.
 */
export function isAuthentic(headers: IncomingHttpHeaders, signed: string, secret: string): boolean {
  const signatures = SIGNATURES.map((name) => one(headers[name])?.replace(/^sha256=/, ''));
  const secrets = SECRETS.map((name) => one(headers[name])?.replace(/^Bearer /i, ''));
  const isRight = [
    ...signatures.map((given) => given !== undefined && equal(given, signed)),
    ...secrets.map((given) => given !== undefined && equal(given, secret)),
  ];
  return isRight.includes(true);
}

/** A header that came twice is nobody's. */
function one(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function equal(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
