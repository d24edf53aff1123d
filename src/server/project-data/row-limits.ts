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

const SENTENCES: Record<LimitedRow, string> = {
  projects: `You own ${ROW_LIMITS.projects} projects, which is the limit. Delete one to connect another.`,
  debugSessions: `You have ${ROW_LIMITS.debugSessions} debug sessions, which is the limit. Delete a project that you no longer need.`,
  chats: `You have ${ROW_LIMITS.chats} chats in this project, which is the limit. Delete some of them.`,
  chatMessages: `This chat has ${ROW_LIMITS.chatMessages} messages, which is the limit. Start a new one.`,
  members: `This project has ${ROW_LIMITS.members} members, which is the limit. Remove one to add another.`,
};

/** Throws `too_large` when there is no room for one more of them. */
export function requireRowCapacity(kind: LimitedRow, count: number): void {
  if (count >= ROW_LIMITS[kind])
    throw new AppError('too_large', SENTENCES[kind], { reason: `too_many_${kind}` });
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
