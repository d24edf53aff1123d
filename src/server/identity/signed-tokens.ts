import { createSecretKey, type KeyObject, randomUUID } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { deriveKey } from '#secrets/keys.ts';

/** `access` authorizes API calls for half an hour, `ticket` one WebSocket within half a minute. */
export const TOKEN_LIFETIME_S = { access: 30 * 60, ticket: 30 } as const;

const ISSUER = 'hindsight';
const AUDIENCE = 'hindsight-api';
const LEEWAY_S = 30;

/** In characters; issued tokens have about 400. */
const MAX_TOKEN_LENGTH = 4096;

export interface TokenClaims {
  id: string;
  userId: string;
  sessionId: string;
  /** Counter of the refresh token issued with it; null for a ticket. */
  generation: number | null;
  expiresAt: Date;
}

interface TokenOptions {
  keys: string[];
  type: keyof typeof TOKEN_LIFETIME_S;
  now: Date;
}

/** Signs the claims as a JWT (HS256) with the newest key. */
export async function signToken(
  { keys, type, now }: TokenOptions,
  bearer: Pick<TokenClaims, 'userId' | 'sessionId' | 'generation'>,
): Promise<string> {
  const issuedAt = Math.floor(now.getTime() / 1000);
  return await new SignJWT({ typ: type, sid: bearer.sessionId, gen: bearer.generation ?? undefined })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(bearer.userId)
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + TOKEN_LIFETIME_S[type])
    .sign(signingKey(keys[0]!));
}

/** Returns the claims of a valid token of this type; null for any other text. */
export async function verifyToken(
  { keys, type, now }: TokenOptions,
  text: string,
): Promise<TokenClaims | null> {
  if (text.length > MAX_TOKEN_LENGTH) return null;
  const cached = verifiedTokens.get(text);
  if (cached?.type === type && keys.includes(cached.key) && isCurrent(cached.claims, now))
    return cached.claims;
  for (const key of keys) {
    const verified = await jwtVerify(text, signingKey(key), {
      algorithms: ['HS256'],
      issuer: ISSUER,
      audience: AUDIENCE,
      requiredClaims: ['sub', 'jti', 'iat', 'exp', 'sid'],
      clockTolerance: LEEWAY_S,
      currentDate: now,
    }).catch(() => null);
    if (!verified) continue;
    const { typ, sub, sid, gen, jti, iat = 0, exp = 0 } = verified.payload;
    if (typ !== type || exp - iat !== TOKEN_LIFETIME_S[type]) return null;
    const claims = {
      id: String(jti),
      userId: String(sub),
      sessionId: String(sid),
      generation: typeof gen === 'number' ? gen : null,
      expiresAt: new Date(exp * 1000),
    };
    verifiedTokens.set(text, { type, key, claims });
    return claims;
  }
  return null;
}

interface VerifiedToken {
  type: TokenOptions['type'];
  /** Key that signed it. */
  key: string;
  claims: TokenClaims;
}

/** Tokens with a valid signature, which a client sends with each request. Their time is checked again each time. */
const verifiedTokens = new LRUCache<string, VerifiedToken>({ max: 1_000 });

function isCurrent({ expiresAt }: TokenClaims, now: Date): boolean {
  return expiresAt.getTime() / 1000 > Math.floor(now.getTime() / 1000) - LEEWAY_S;
}

/** Derived keys: deriving one takes as long as verifying a token, and jose keeps what it has imported of a key object. */
const signingKeys = new LRUCache<string, KeyObject>({ max: 8 });

function signingKey(key: string): KeyObject {
  let derived = signingKeys.get(key);
  if (derived === undefined) {
    derived = createSecretKey(deriveKey([key], 'signed bearer'));
    signingKeys.set(key, derived);
  }
  return derived;
}
