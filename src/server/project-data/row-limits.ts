import type { Kysely, Transaction } from 'kysely';
import { AppError } from '#contract/errors.ts';
import type { Database } from '#db/schema.ts';
import { lockUser } from '../identity/user-store.ts';
import { countProjects } from './plans.ts';

/**
 * Maximum number of rows, far above normal use, so that scripts cannot fill the database. Counted in the transaction that
 * inserts the row, which locks the user.
 */
export const ROW_LIMITS = {
  /** Per owner. */
  projects: 500,
  /** Per user, in all projects. */
  debugSessions: 50_000,
  /** Per user and project. */
  chats: 5_000,
  /** Per chat, including answers. */
  chatMessages: 5_000,
  /** Per project. */
  members: 500,
};

type LimitedRow = keyof typeof ROW_LIMITS;

const LIMIT_ERRORS = {
  projects: 'project_limit_reached',
  debugSessions: 'debug_session_limit_reached',
  chats: 'chat_limit_reached',
  chatMessages: 'chat_message_limit_reached',
  members: 'member_limit_reached',
} as const;

/** Throws `too_large` when one more row would exceed the limit. */
export function requireRowCapacity(kind: LimitedRow, count: number): void {
  const limit = ROW_LIMITS[kind];
  if (count < limit) return;
  const error = LIMIT_ERRORS[kind];
  throw new AppError('too_large', error, { params: { limit }, reason: error });
}

/** Locks a user and throws `too_large` when they own the maximum number of projects. */
export async function requireProjectCapacity(
  transaction: Transaction<Database>,
  userId: string,
): Promise<void> {
  await lockUser(transaction, userId);
  requireRowCapacity('projects', await countProjects(transaction, userId));
}

/** Throws `too_large` when a user has the maximum number of chats in a project. */
export async function requireChatCapacity(
  db: Kysely<Database>,
  { projectId, userId }: { projectId: string; userId: string },
): Promise<void> {
  const { count } = await db
    .selectFrom('chat_threads')
    .select((select) => select.fn.countAll<string>().as('count'))
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  requireRowCapacity('chats', Number(count));
}
