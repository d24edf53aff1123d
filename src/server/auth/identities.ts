import { randomInt } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { type Kysely, sql } from 'kysely';
import { AppError } from '#contract/errors.ts';
import type { Service } from '#contract/identities.ts';
import type { Database } from '#db/schema.ts';
import { audit, origin } from '../audit.ts';
import { choicesOf } from '../choices.ts';
import type { Deps } from '../deps.ts';
import type { UserRow } from '../profile.ts';
import { admitNewcomer } from '../signup.ts';
import { insertUser } from '../users.ts';
import type { Stranger } from './providers/sign-in-service.ts';

type Needs = Pick<Deps, 'db' | 'config' | 'events' | 'now'>;

/** Somebody who came back from another service, and what they came with. */
export interface Comer {
  service: Service;
  stranger: Stranger;
  invitation: string | null;
  request: FastifyRequest;
}

/**
 * The account that an account elsewhere opens: the one that it is connected to; else one with the same address, if both
 * sides have seen that the address is theirs; else a new one. Throws `conflict` with the reason `email_unverified` or
 * `link_by_hand`, and what signing up throws.
 */
export async function accountOf(deps: Needs, comer: Comer): Promise<UserRow> {
  const { service, stranger } = comer;
  const known = await deps.db
    .selectFrom('identities')
    .innerJoin('users', 'users.id', 'identities.user_id')
    .selectAll('users')
    .where('identities.provider', '=', service)
    .where('identities.subject', '=', stranger.subject)
    .executeTakeFirst();
  if (known) return known;
  const { email } = stranger;
  if (email === null || !stranger.emailVerified) {
    throw new AppError('conflict', 'The address of that account has not been confirmed there.', {
      reason: 'email_unverified',
    });
  }
  const same = await deps.db
    .selectFrom('users')
    .selectAll()
    .where(({ eb, fn }) => eb(fn<string>('lower', ['email']), '=', sql<string>`lower(${email})`))
    .executeTakeFirst();
  if (!same) return await newAccount(deps, comer, email);
  // Anybody can sign up under an address that they do not own, and wait for its owner to come.
  if (same.email_verified_at === null) {
    throw new AppError(
      'conflict',
      'An account here has this address. Sign in to it and connect the other one in Settings.',
      {
        reason: 'link_by_hand',
      },
    );
  }
  await connect(deps, same.id, comer);
  return same;
}

/**
 * Lets an account elsewhere open this one from now on. Throws `conflict` with the reason `linked_elsewhere` when it opens
 * another one already, or this one has another of that service.
 */
export async function connect(
  deps: Needs,
  userId: string,
  { service, stranger, request }: Omit<Comer, 'invitation'>,
): Promise<void> {
  const made = await insertIdentity(deps.db, userId, service, stranger);
  if (!made) {
    throw new AppError('conflict', 'That account, or another one of that service, is connected already.', {
      reason: 'linked_elsewhere',
    });
  }
  const detail = { service, name: stranger.name };
  await audit(deps.db, { userId, event: 'identity_linked', detail, ...origin(request) });
  deps.events.emit({ type: 'account-changed', userId, change: 'identity_linked' });
}

async function insertIdentity(
  db: Kysely<Database>,
  userId: string,
  service: Service,
  { subject, name }: Stranger,
): Promise<boolean> {
  const row = await db
    .insertInto('identities')
    .values({ provider: service, subject, user_id: userId, name })
    .onConflict((conflict) => conflict.doNothing())
    .returning('subject')
    .executeTakeFirst();
  return row !== undefined;
}

const TRIES = 8;

async function newAccount(deps: Needs, comer: Comer, email: string): Promise<UserRow> {
  const { service, stranger, invitation, request } = comer;
  const wished = usernameFrom(stranger.name);
  for (let attempt = 1; ; attempt += 1) {
    const username = attempt === 1 ? wished : `${wished.slice(0, 27)}-${randomInt(1000, 10_000)}`;
    try {
      const user = await insertUser(deps.db, {
        username,
        email,
        passwordHash: null,
        emailVerifiedAt: deps.now(),
        fullName: stranger.fullName?.slice(0, 100) ?? null,
        preferences: choicesOf(request),
        admit: (db, isFirst) => admit({ ...deps, db }, isFirst, { email, invitation }),
      });
      await insertIdentity(deps.db, user.id, service, stranger);
      const detail = { by: service };
      await audit(deps.db, { userId: user.id, event: 'signed_up', detail, ...origin(request) });
      return user;
    } catch (error) {
      const isTaken = error instanceof AppError && error.fields?.username !== undefined;
      if (!isTaken || attempt === TRIES) throw error;
    }
  }
}

/** The first account is the administrator's, who shows the setup code; that page asks for it. */
async function admit(
  deps: Pick<Deps, 'db' | 'config' | 'now'>,
  isFirst: boolean,
  newcomer: { email: string; invitation: string | null },
): Promise<void> {
  if (!isFirst) return await admitNewcomer(deps, newcomer);
  throw new AppError('conflict', 'The first account of this server is made with a password.', {
    reason: 'first_account',
  });
}

/** `Ada Lovelace <ada.l@example.org>` → `ada-l`: 3 to 32 of the characters that usernames have. */
function usernameFrom(name: string): string {
  const plain = name
    .split('@', 1)[0]!
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 32);
  return plain.length >= 3 ? plain : `user-${randomInt(1000, 10_000)}`;
}
