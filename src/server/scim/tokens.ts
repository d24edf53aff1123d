import { randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { AppError } from '#contract/errors.ts';
import { MAX_SCIM_TOKENS, type ScimToken } from '#contract/scim.ts';
import { newId } from '#db/ids.ts';
import type { Deps } from '../deps.ts';
import { tokenDigest } from '../identity/one-time-tokens.ts';
import { ScimError } from './scim-error.ts';

/** Prefix by which secret scanners recognize the tokens. */
const PREFIX = 'hscim_';
const PREFIX_LENGTH = 10;
/** Minimum time between updates of `last_used_at`. */
const LAST_USED_INTERVAL_S = 60;

/** A directory that is signed in by its token. */
export interface ScimClient {
  tokenId: string;
  /** Name of the token, for the audit log. */
  name: string;
}

/** Lists tokens, newest first. */
export async function listScimTokens({ db }: Pick<Deps, 'db'>): Promise<ScimToken[]> {
  const rows = await db
    .selectFrom('scim_tokens')
    .select(['id', 'name', 'prefix', 'created_at', 'last_used_at'])
    .orderBy('id', 'desc')
    .limit(MAX_SCIM_TOKENS)
    .execute();
  return rows.map((row) => ({
    ...row,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  }));
}

/** Creates a token of 256 bits, of which only the SHA-256 is stored. Throws `conflict` beyond the limit. */
export async function createScimToken(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { name, createdBy }: { name: string; createdBy: string },
): Promise<ScimToken & { token: string }> {
  const existing = await listScimTokens({ db });
  if (existing.length >= MAX_SCIM_TOKENS)
    throw new AppError('conflict', 'scim_token_limit_reached', { params: { limit: MAX_SCIM_TOKENS } });
  const token = PREFIX + randomBytes(32).toString('base64url');
  const [id, created_at] = [newId(), now()];
  const prefix = token.slice(0, PREFIX_LENGTH);
  await db
    .insertInto('scim_tokens')
    .values({ id, name, prefix, digest: tokenDigest(token), created_by: createdBy, created_at })
    .execute();
  return { id, name, prefix, created_at: created_at.toISOString(), last_used_at: null, token };
}

/** Deletes a token; returns its name, or null when there is none. */
export async function deleteScimToken({ db }: Pick<Deps, 'db'>, id: string): Promise<string | null> {
  const row = await db.deleteFrom('scim_tokens').where('id', '=', id).returning('name').executeTakeFirst();
  return row?.name ?? null;
}

/** Returns the directory of a request. Throws a SCIM error 401. */
export async function authenticateScim(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  request: FastifyRequest,
): Promise<ScimClient> {
  const token = /^Bearer (hscim_[\w-]{43})$/i.exec(request.headers.authorization ?? '')?.[1];
  const row =
    token &&
    (await db
      .selectFrom('scim_tokens')
      .select(['id', 'name'])
      .where('digest', '=', tokenDigest(token))
      .executeTakeFirst());
  if (!row) throw new ScimError(401, 'The bearer token is missing or invalid.');
  await db
    .updateTable('scim_tokens')
    .set({ last_used_at: now() })
    .where('id', '=', row.id)
    .where(
      sql<boolean>`(last_used_at is null or last_used_at < ${now()}::timestamptz - make_interval(secs => ${LAST_USED_INTERVAL_S}))`,
    )
    .execute();
  return { tokenId: row.id, name: row.name };
}
