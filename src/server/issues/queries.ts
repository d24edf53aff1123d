import { type Kysely, type Selectable, sql } from 'kysely';
import type { IssueImport } from '#contract/issues.ts';
import type { IssueImportsTable, IssueListProgress } from '#db/issue-tables.ts';
import type { Database } from '#db/schema.ts';
import type { IssueCommit, LinkableIssue } from './commit-links.ts';
import type { ParsedIssue } from './parse-issue.ts';

export type ImportRow = Selectable<IssueImportsTable>;

/** Issues and bytes of their texts that one project stores. */
export const MAX_STORED = { issues: 50_000, bytes: 128 * 2 ** 20 };
/** Rows of one statement. */
const BATCH_SIZE = 500;

/** Finds the import of a project; null where there was none. */
export async function findImport(db: Kysely<Database>, projectId: string): Promise<ImportRow | null> {
  const row = await db
    .selectFrom('issue_imports')
    .selectAll()
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  return row ?? null;
}

type ImportChange = Partial<{
  enabled: boolean;
  state: IssueImport['state'];
  api_url: string | null;
  progress: string;
  received: number;
  linked_commits: number;
  started_at: Date;
  imported_at: Date;
  retry_at: Date | null;
  failure: string | null;
}>;

/** Creates or changes the import of a project. */
export async function saveImport(
  db: Kysely<Database>,
  projectId: string,
  change: ImportChange,
): Promise<void> {
  await db
    .insertInto('issue_imports')
    .values({ project_id: projectId, ...change })
    .onConflict((conflict) =>
      Object.keys(change).length > 0
        ? conflict.column('project_id').doUpdateSet(change)
        : conflict.column('project_id').doNothing(),
    )
    .execute();
}

/** Stores the place of one list of the API. */
export async function saveProgress(
  db: Kysely<Database>,
  projectId: string,
  { list, progress, received }: { list: string; progress: IssueListProgress; received: number },
): Promise<void> {
  await db
    .updateTable('issue_imports')
    .set({
      progress: sql<string>`progress || jsonb_build_object(${list}::text, ${JSON.stringify(progress)}::jsonb)`,
      received: sql<number>`received + ${received}`,
    })
    .where('project_id', '=', projectId)
    .execute();
}

/** Counts what a project stores. */
export async function countIssues(
  db: Kysely<Database>,
  projectId: string,
): Promise<{ issues: number; pull_requests: number; comments: number; bytes: number }> {
  const row = await db
    .selectFrom('issues')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .select(sql<string>`count(*) filter (where kind = 'pull_request')`.as('pulls'))
    .select(sql<string>`coalesce(sum(size), 0)`.as('bytes'))
    .select(({ selectFrom, fn }) =>
      selectFrom('issue_comments')
        .select(fn.countAll<string>().as('count'))
        .where('project_id', '=', projectId)
        .as('comments'),
    )
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow();
  const pulls = Number(row.pulls);
  const [count, comments, bytes] = [row.count, row.comments, row.bytes].map(Number) as [
    number,
    number,
    number,
  ];
  return { issues: count - pulls, pull_requests: pulls, comments, bytes };
}

/** Issues, pull requests included, and bytes of their texts. */
export interface StoredIssues {
  issues: number;
  bytes: number;
}

/** Measures what a project stores; of some issues alone where they are given. */
export async function measureIssues(
  db: Kysely<Database>,
  projectId: string,
  among?: readonly Pick<ParsedIssue, 'kind' | 'number'>[],
): Promise<StoredIssues> {
  const kinds = among?.map(({ kind }) => kind);
  const numbers = among?.map(({ number }) => number);
  const { issues, bytes } = await db
    .selectFrom('issues')
    .select(({ fn }) => fn.countAll<string>().as('issues'))
    .select(sql<string>`coalesce(sum(size), 0)`.as('bytes'))
    .where('project_id', '=', projectId)
    .$if(among !== undefined, (query) =>
      query.where(
        sql<boolean>`(kind, number) in (select * from unnest(${kinds}::text[], ${numbers}::integer[]))`,
      ),
    )
    .executeTakeFirstOrThrow();
  return { issues: Number(issues), bytes: Number(bytes) };
}

/** Inserts issues, or replaces them where they are not newer already. Branch, merge commit and count outlast items without them. */
export async function saveIssues(
  db: Kysely<Database>,
  projectId: string,
  issues: readonly ParsedIssue[],
): Promise<void> {
  // A statement may change a row once only.
  const unique = [...new Map(issues.map((issue) => [`${issue.kind} ${issue.number}`, issue])).values()];
  for (let at = 0; at < unique.length; at += BATCH_SIZE) {
    await db
      .insertInto('issues')
      .values(
        unique
          .slice(at, at + BATCH_SIZE)
          .map(({ comments: _, ...issue }) => ({ project_id: projectId, ...issue })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['project_id', 'kind', 'number'])
          .doUpdateSet(({ ref }) => ({
            title: ref('excluded.title'),
            body: ref('excluded.body'),
            state: ref('excluded.state'),
            author: ref('excluded.author'),
            labels: ref('excluded.labels'),
            branch: sql<string>`coalesce(excluded.branch, issues.branch)`,
            merge_commit: sql<string>`coalesce(excluded.merge_commit, issues.merge_commit)`,
            created_at: ref('excluded.created_at'),
            updated_at: ref('excluded.updated_at'),
            closed_at: ref('excluded.closed_at'),
            comment_count: sql<number>`coalesce(excluded.comment_count, issues.comment_count)`,
          }))
          .where(
            sql<boolean>`issues.updated_at is null or excluded.updated_at is null or excluded.updated_at >= issues.updated_at`,
          ),
      )
      .execute();
  }
}

/** Lists what links the issues of a project to commits. */
export async function listLinkableIssues(db: Kysely<Database>, projectId: string): Promise<LinkableIssue[]> {
  return await db
    .selectFrom('issues')
    .select(['kind', 'number', 'merge_commit', 'branch'])
    .where('project_id', '=', projectId)
    .orderBy('number')
    .limit(MAX_STORED.issues)
    .execute();
}

/** Replaces the links of a project. Links to issues that are deleted meanwhile are left out. */
export async function replaceLinks(
  db: Kysely<Database>,
  projectId: string,
  links: readonly IssueCommit[],
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.deleteFrom('commit_issues').where('project_id', '=', projectId).execute();
    for (let at = 0; at < links.length; at += BATCH_SIZE * 10) {
      const rows = JSON.stringify(links.slice(at, at + BATCH_SIZE * 10));
      await sql`
        insert into commit_issues (project_id, commit, kind, number, source)
        select ${projectId}, l.commit, l.kind, l.number, l.source
        from jsonb_to_recordset(${rows}::jsonb) as l(commit text, kind text, number integer, source text)
        join issues i on i.project_id = ${projectId} and i.kind = l.kind and i.number = l.number
        for share of i`.execute(trx);
    }
    await trx
      .updateTable('issue_imports')
      .set({ linked_commits: new Set(links.map(({ commit }) => commit)).size })
      .where('project_id', '=', projectId)
      .execute();
  });
}

/** Commits of an issue. */
export async function listCommitsOfIssue(
  db: Kysely<Database>,
  { project_id, kind, number }: Pick<IssueCommit, 'kind' | 'number'> & { project_id: string },
): Promise<Pick<IssueCommit, 'commit' | 'source'>[]> {
  return await db
    .selectFrom('commit_issues')
    .select(['commit', 'source'])
    .where('project_id', '=', project_id)
    .where('kind', '=', kind)
    .where('number', '=', number)
    .execute();
}

/** Deletes the issues of a project, and forgets and stops their import. */
export async function deleteIssues(db: Kysely<Database>, projectId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // First, so that a running import finds itself turned off.
    await trx.deleteFrom('issue_imports').where('project_id', '=', projectId).execute();
    await trx.deleteFrom('issues').where('project_id', '=', projectId).execute();
    await trx.deleteFrom('issue_comments').where('project_id', '=', projectId).execute();
  });
}
