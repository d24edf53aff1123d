import type { Kysely, Selectable } from 'kysely';
import type { z } from 'zod';
import type { DebugAnswer } from '#contract/debug.ts';
import type { answerLabel } from '#contract/error-groups.ts';
import { AppError } from '#contract/errors.ts';
import type { DebugSessionsTable } from '#db/debug-tables.ts';
import type { Database } from '#db/schema.ts';

type AnswerLabel = z.infer<typeof answerLabel>;

/**
 * Saves which commit and which place of an answer a member found to be right; neither removes the mark. Throws `bad_request`
 * for one that the answer does not name.
 */
export async function saveLabel(
  db: Kysely<Database>,
  session: Selectable<DebugSessionsTable>,
  { commit, place, userId }: AnswerLabel & { userId: string },
): Promise<void> {
  const { answer, project_id, id: session_id } = session;
  if (commit !== null) requireNamedCommit(answer, commit);
  const isKnown = (answer.places ?? []).some(({ path }) => path === place?.path);
  if (place !== null && !isKnown) throw new AppError('bad_request', 'label_not_in_answer');
  if (commit === null && place === null) {
    await db
      .deleteFrom('debug_labels')
      .where('project_id', '=', project_id)
      .where('session_id', '=', session_id)
      .where('user_id', '=', userId)
      .execute();
    return;
  }
  const label = { commit, place: place && JSON.stringify(place) };
  await db
    .insertInto('debug_labels')
    .values({ project_id, session_id, user_id: userId, ...label })
    .onConflict((conflict) => conflict.columns(['project_id', 'session_id', 'user_id']).doUpdateSet(label))
    .execute();
}

/** Throws `bad_request` for a commit that an answer does not name. */
function requireNamedCommit({ suspect_commits, timeline }: DebugAnswer, commit: string): void {
  const hashes = [...(suspect_commits ?? []), ...(timeline ?? []).flatMap((step) => step.commit ?? [])];
  if (!hashes.some(({ hash }) => hash === commit)) throw new AppError('bad_request', 'label_not_in_answer');
}

/** The mark of a member on an answer; null while there is none. */
export async function findLabel(
  db: Kysely<Database>,
  { project_id, id }: Pick<Selectable<DebugSessionsTable>, 'project_id' | 'id'>,
  userId: string,
): Promise<AnswerLabel | null> {
  const row = await db
    .selectFrom('debug_labels')
    .select(['commit', 'place'])
    .where('project_id', '=', project_id)
    .where('session_id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row ?? null;
}
