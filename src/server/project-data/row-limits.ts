import type { Kysely, Transaction } from 'kysely';
import { AppError } from '#contract/errors.ts';
import type { Database } from '#db/schema.ts';
import { lockUser } from '../identity/user-store.ts';
import { countProjects } from './plans.ts';

/**
 * Rows that one user may have, far above what people need: they keep a script from filling the database. Counted in
 * the transaction that adds the row, under the lock of the user.
 */
export const ROW_LIMITS = {
  /** Owned by one user. */
  projects: 500,
  /** Of one user in all projects. */
  debugSessions: 50_000,
  /** Of one user in one project. */
  chats: 5_000,
  /** Of one chat, questions and answers. */
  chatMessages: 5_000,
  /** Of one project. */
  members: 500,
};

type LimitedRow = keyof typeof ROW_LIMITS;

const LIMIT_MESSAGES = {
  projects: 'project_limit_reached',
  debugSessions: 'debug_session_limit_reached',
  chats: 'chat_limit_reached',
  chatMessages: 'chat_message_limit_reached',
  members: 'member_limit_reached',
} as const;

/** Throws `too_large` when there is no room for one more of them. */
export function requireRowCapacity(kind: LimitedRow, count: number): void {
  const limit = ROW_LIMITS[kind];
  if (count < limit) return;
  throw new AppError('too_large', LIMIT_MESSAGES[kind], { params: { limit }, reason: `too_many_${kind}` });
}

/** Counts the projects that a user owns, under their lock, and throws `too_large` when there is no room for another. */
export async function requireProjectCapacity(
  transaction: Transaction<Database>,
  userId: string,
): Promise<void> {
  await lockUser(transaction, userId);
  requireRowCapacity('projects', await countProjects(transaction, userId));
}

/** Counts the chats of a user in a project and throws `too_large` when there is no room for another. */
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
