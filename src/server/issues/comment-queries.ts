import { type Kysely, type Selectable, sql } from 'kysely';
import type { CodeHostKind } from '#contract/code-hosts.ts';
import { type IssueKind, MAX_ISSUE_COMMENTS } from '#contract/issues.ts';
import type { IssuesTable } from '#db/issue-tables.ts';
import type { Database } from '#db/schema.ts';
import type { ParsedComment } from './parse-comment.ts';
import type { CommentCount } from './read-list.ts';

/** Bytes of the comments of a project; beyond them the oldest are deleted, down to a lower limit that the next pages may fill. */
const [MAX_COMMENT_BYTES, KEPT_COMMENT_BYTES] = [64 * 2 ** 20, 60 * 2 ** 20];
/** Rows of one statement. */
const BATCH_SIZE = 500;

interface IssueKey {
  kind: IssueKind;
  number: number;
}

/**
 * Inserts comments, or replaces them where they are not newer already, and keeps the most recent ones of each issue and of the
 * project. Comments of an export without ids give way to those of the host.
 */
export async function saveComments(
  db: Kysely<Database>,
  projectId: string,
  comments: readonly ParsedComment[],
): Promise<void> {
  if (comments.length === 0) return;
  // A statement may change a row once only.
  const unique = [...new Map(comments.map((one) => [`${one.kind} ${one.number} ${one.id}`, one])).values()];
  for (let at = 0; at < unique.length; at += BATCH_SIZE) {
    await db
      .insertInto('issue_comments')
      .values(unique.slice(at, at + BATCH_SIZE).map((comment) => ({ project_id: projectId, ...comment })))
      .onConflict((conflict) =>
        conflict
          .columns(['project_id', 'kind', 'number', 'id'])
          .doUpdateSet(({ ref }) => ({
            author: ref('excluded.author'),
            body: ref('excluded.body'),
            created_at: ref('excluded.created_at'),
            updated_at: ref('excluded.updated_at'),
          }))
          .where(
            sql<boolean>`issue_comments.updated_at is null or excluded.updated_at is null or excluded.updated_at >= issue_comments.updated_at`,
          ),
      )
      .execute();
  }
  const issues = [
    ...new Map(comments.map(({ kind, number }) => [`${kind} ${number}`, { kind, number }])).values(),
  ];
  await deleteExcessComments(db, projectId, issues);
  const bytes = unique.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
  if ((await addCommentBytes(db, projectId, bytes)) > MAX_COMMENT_BYTES) await trimComments(db, projectId);
}

/** Deletes comments beyond the limit of each issue, and those of exports that the host has as well. */
async function deleteExcessComments(
  db: Kysely<Database>,
  projectId: string,
  issues: readonly IssueKey[],
): Promise<void> {
  await sql`
    delete from issue_comments c using (
      select kind, number, id,
        row_number() over (partition by kind, number order by id like 'file-%', created_at desc nulls last, length(id) desc, id desc) as position,
        bool_or(id not like 'file-%') over (partition by kind, number) and id like 'file-%' as is_replaced
      from issue_comments join jsonb_to_recordset(${JSON.stringify(issues)}::jsonb) as i(kind text, number integer) using (kind, number)
      where project_id = ${projectId}
    ) s
    where c.project_id = ${projectId} and c.kind = s.kind and c.number = s.number and c.id = s.id
      and (s.position > ${MAX_ISSUE_COMMENTS} or s.is_replaced)`.execute(db);
}

/** Adds to the bytes of a project's comments and returns their sum, which replaced and deleted comments make too large. */
async function addCommentBytes(db: Kysely<Database>, projectId: string, bytes: number): Promise<number> {
  const row = await db
    .updateTable('issue_imports')
    .set((eb) => ({ comment_bytes: eb('comment_bytes', '+', bytes) }))
    .where('project_id', '=', projectId)
    .returning('comment_bytes')
    .executeTakeFirst();
  return row?.comment_bytes ?? Number.POSITIVE_INFINITY;
}

/** Deletes the oldest comments of a project beyond its limit, and measures what stays. */
async function trimComments(db: Kysely<Database>, projectId: string): Promise<void> {
  await sql`
    delete from issue_comments c using (
      select kind, number, id, sum(size) over (order by created_at desc nulls last, kind, number, id) as bytes
      from issue_comments where project_id = ${projectId}
    ) s
    where c.project_id = ${projectId} and c.kind = s.kind and c.number = s.number and c.id = s.id
      and s.bytes > ${KEPT_COMMENT_BYTES}`.execute(db);
  await sql`
    update issue_imports
    set comment_bytes = (select coalesce(sum(size), 0) from issue_comments where project_id = ${projectId})
    where project_id = ${projectId}`.execute(db);
}

/** Stores numbers of comments that another list than that of the issues has. */
export async function saveCommentCounts(
  db: Kysely<Database>,
  projectId: string,
  counts: readonly CommentCount[],
): Promise<void> {
  if (counts.length === 0) return;
  await sql`
    update issues i set comment_count = c.count
    from jsonb_to_recordset(${JSON.stringify(counts)}::jsonb) as c(kind text, number integer, count integer)
    where i.project_id = ${projectId} and i.kind = c.kind and i.number = c.number`.execute(db);
}

type DueIssue = Pick<Selectable<IssuesTable>, 'kind' | 'number' | 'updated_at'>;

/**
 * Lists issues whose comments have to be read one by one, the most recently updated first: those that changed at GitLab, which has
 * no list of comments; at other hosts those with fewer comments than are stored, of which some were deleted. Those that failed
 * are left out until their next attempt.
 */
export async function listIssuesWithDueComments(
  db: Kysely<Database>,
  { projectId, host, limit, now }: { projectId: string; host: CodeHostKind; limit: number; now: Date },
): Promise<DueIssue[]> {
  const stored = sql<number>`(select count(*) from issue_comments c
    where c.project_id = issues.project_id and c.kind = issues.kind and c.number = issues.number)`;
  return await db
    .selectFrom('issues')
    .select(['kind', 'number', 'updated_at'])
    .where('project_id', '=', projectId)
    .where('comment_count', 'is not', null)
    .where(sql<boolean>`comments_as_of is distinct from updated_at`)
    .where(sql<boolean>`coalesce(comments_retry_at, '-infinity') <= ${now}::timestamptz`)
    .where(
      host === 'gitlab'
        ? sql<boolean>`(comment_count > 0 or ${stored} > 0)`
        : sql<boolean>`comment_count < ${stored}`,
    )
    .orderBy('updated_at', (order) => order.desc().nullsLast())
    .orderBy('number', 'desc')
    .limit(limit)
    .execute();
}

/** Stores the comments of an issue as they were read; with null, they stay as they are. */
export async function replaceComments(
  db: Kysely<Database>,
  projectId: string,
  { issue, comments }: { issue: DueIssue; comments: readonly ParsedComment[] | null },
): Promise<void> {
  const { kind, number, updated_at } = issue;
  if (comments !== null) {
    await db
      .deleteFrom('issue_comments')
      .where('project_id', '=', projectId)
      .where('kind', '=', kind)
      .where('number', '=', number)
      .where('id', 'not in', ['', ...comments.map(({ id }) => id)])
      .execute();
    await saveComments(db, projectId, comments);
  }
  await db
    .updateTable('issues')
    .set({ comments_as_of: updated_at, comments_attempts: 0, comments_retry_at: null })
    .where('project_id', '=', projectId)
    .where('kind', '=', kind)
    .where('number', '=', number)
    .execute();
}

/** Hours until the second attempt, doubled by each further one up to a week. */
const [RETRY_HOURS, MAX_RETRY_HOURS] = [1, 7 * 24];

/** Counts a failed attempt to read the comments of an issue, which stay due, and delays the next one. */
export async function saveFailedAttempt(
  db: Kysely<Database>,
  projectId: string,
  { issue: { kind, number }, now }: { issue: IssueKey; now: Date },
): Promise<void> {
  const hours = sql`least(${RETRY_HOURS} * 2 ^ least(comments_attempts, 10), ${MAX_RETRY_HOURS})`;
  await db
    .updateTable('issues')
    .set({
      comments_attempts: sql<number>`comments_attempts + 1`,
      comments_retry_at: sql<Date>`${now}::timestamptz + ${hours} * interval '1 hour'`,
    })
    .where('project_id', '=', projectId)
    .where('kind', '=', kind)
    .where('number', '=', number)
    .execute();
}
