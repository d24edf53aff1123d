import { type Kysely, type Selectable, sql } from 'kysely';
import type { DebugAnswer, Feedback, SessionRow } from '#contract/debug.ts';
import type { DebugSessionsTable } from '#db/debug-tables.ts';
import { newId } from '#db/ids.ts';
import type { Database } from '#db/schema.ts';
import { textFingerprint } from '#intake/fingerprint.ts';
import { lockUser } from '../identity/user-store.ts';
import { presentFeedback, visibleSessions } from '../project-data/debug-sessions.ts';
import { requireRowCapacity } from '../project-data/row-limits.ts';
import { recordOccurrence } from './record-occurrences.ts';
import { truncateAnswer } from './truncate-answer.ts';

type SessionValues = Pick<Selectable<DebugSessionsTable>, 'project_id' | 'user_id' | 'title' | 'draft'> & {
  request: Record<string, unknown> & { error_message: string };
  answer: Omit<DebugAnswer, 'id' | 'number'>;
  /** The error of a session about events, which are counted already; otherwise the error follows from the text. */
  group?: { fingerprint: string; key?: string } | undefined;
};

/**
 * Saves a session under the caller’s next number, and counts the occurrence of its error.
 */
export async function saveSession(db: Kysely<Database>, values: SessionValues): Promise<DebugAnswer> {
  return await db.transaction().execute(async (trx) => {
    // Serialises the numbering of one user's sessions.
    await lockUser(trx, values.user_id);
    const { next, count } = await trx
      .selectFrom('debug_sessions')
      .where('user_id', '=', values.user_id)
      .select(sql<number>`coalesce(max(number), 0)::int + 1`.as('next'))
      .select((select) => select.fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow();
    requireRowCapacity('debugSessions', Number(count));
    const answer: DebugAnswer = { id: newId(), number: next, ...truncateAnswer(values.answer) };
    const { project_id, title, draft, request } = values;
    const occurrence = { project_id, ...textFingerprint(request.error_message), title: draft ? null : title };
    const { fingerprint, key = null } = values.group ?? (await recordOccurrence(trx, occurrence));
    await trx
      .insertInto('debug_sessions')
      .values({
        id: answer.id,
        number: next,
        project_id: values.project_id,
        user_id: values.user_id,
        fingerprint,
        key: key === fingerprint ? null : key,
        title,
        draft,
        request: JSON.stringify(request),
        answer: JSON.stringify(answer),
      })
      .execute();
    return answer;
  });
}

/** Counts another occurrence of an error seen since a time; false when it was not. */
export async function recordRecurrence(
  db: Kysely<Database>,
  { projectId, text, since }: { projectId: string; text: string; since: Date },
): Promise<boolean> {
  const { key, formerKeys } = textFingerprint(text);
  return await db.transaction().execute(async (trx) => {
    const seen = await trx
      .selectFrom('debug_group_keys as k')
      .innerJoin('debug_groups as g', (join) =>
        join.onRef('g.project_id', '=', 'k.project_id').onRef('g.fingerprint', '=', 'k.fingerprint'),
      )
      .select('g.id')
      .where('k.project_id', '=', projectId)
      .where('k.key', 'in', [key, ...formerKeys])
      .where('g.last_seen', '>=', since)
      .executeTakeFirst();
    if (seen) await recordOccurrence(trx, { project_id: projectId, key, formerKeys, title: null });
    return seen !== undefined;
  });
}

/** Lists a page of sessions in all projects of the user, newest first. */
export async function listSessions(
  db: Kysely<Database>,
  userId: string,
  page: { project_id?: string; skip: number; limit: number },
) {
  let visible = visibleSessions(db, userId);
  if (page.project_id !== undefined) visible = visible.where('s.project_id', '=', page.project_id);
  const { total } = await visible
    .select((eb) => eb.fn.countAll<string>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await visible
    .innerJoin('projects as p', 'p.id', 's.project_id')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .innerJoin('debug_groups as g', (join) =>
      join.onRef('g.project_id', '=', 's.project_id').onRef('g.fingerprint', '=', 's.fingerprint'),
    )
    .leftJoin('feedback as f', (join) => join.onRef('f.session_id', '=', 's.id').on('f.user_id', '=', userId))
    .select(['s.id', 's.number', 's.project_id', 's.title', 's.created_at', 'g.state', 'f.helpful'])
    .select(['p.name as project_name', 'u.username as author'])
    .select(sql<number>`(s.answer->>'confidence')::float8`.as('confidence'))
    .orderBy('s.id', 'desc')
    .offset(page.skip)
    .limit(page.limit)
    .execute();
  const sessions: SessionRow[] = rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
  return { sessions, total: Number(total), has_more: page.skip + rows.length < Number(total) };
}

/** Project, error and feedback of a session, shown to members. */
export async function loadSessionContext(
  db: Kysely<Database>,
  session: Selectable<DebugSessionsTable>,
  userId: string,
) {
  const { project_name, state, role, first_seen, last_seen, ...error } = await db
    .selectFrom('projects as p')
    .innerJoin('project_members as m', 'm.project_id', 'p.id')
    .innerJoin('debug_groups as g', 'g.project_id', 'p.id')
    .where('p.id', '=', session.project_id)
    .where('m.user_id', '=', userId)
    .where('g.fingerprint', '=', session.fingerprint)
    .select(['p.name as project_name', 'm.role', 'g.state', 'g.id', 'g.count', 'g.first_seen', 'g.last_seen'])
    .executeTakeFirstOrThrow();
  const rows = await db
    .selectFrom('feedback')
    .selectAll()
    .where('session_id', '=', session.id)
    .orderBy('id', 'desc')
    .execute();
  const feedback: Feedback[] = rows.map(presentFeedback);
  const seen = { first_seen: first_seen.toISOString(), last_seen: last_seen.toISOString() };
  return { project_name, state, error: { ...error, ...seen, is_editable: role !== 'viewer' }, feedback };
}
