import { type Kysely, type Selectable, sql } from 'kysely';
import type { CommitIssue, Issue, IssueKind, IssueState } from '#contract/issues.ts';
import { MAX_ISSUE_COMMENTS, MAX_LINKED } from '#contract/issues.ts';
import type { IssueCommentsTable, IssuesTable } from '#db/issue-tables.ts';
import type { Database } from '#db/schema.ts';
import { findCodeHost } from '../code-hosts/code-host.ts';
import { issuePageUrl, parseHostRepository } from '../code-hosts/host-url.ts';
import type { Deps } from '../deps.ts';

type IssueRow = Pick<
  Selectable<IssuesTable>,
  'kind' | 'number' | 'title' | 'state' | 'author' | 'labels' | 'created_at' | 'updated_at'
>;

const ROW_COLUMNS = [
  'kind',
  'number',
  'title',
  'state',
  'author',
  'labels',
  'created_at',
  'updated_at',
] as const;

interface IssueQuery {
  projectIds: readonly string[];
  /** Words, a number such as `#123`, or nothing. */
  q: string;
  kind?: IssueKind | undefined;
  state?: IssueState | undefined;
}

/** Selects the issues that match a query, without an order. */
export function matchingIssues(db: Kysely<Database>, { projectIds, q, kind, state }: IssueQuery) {
  const number = /^[#!]?(\d{1,9})$/.exec(q)?.[1];
  return db
    .selectFrom('issues')
    .where('issues.project_id', 'in', projectIds)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind!))
    .$if(state !== undefined, (query) => query.where('state', '=', state!))
    .$if(number !== undefined, (query) => query.where('number', '=', Number(number)))
    .$if(number === undefined && q !== '', (query) => query.where(hasWords(projectIds, q)));
}

/** True for issues with every word of a text in themselves or in one comment, or with the text itself in their title. */
function hasWords(projectIds: readonly string[], q: string) {
  const words = sql`websearch_to_tsquery('english', ${q})`;
  return sql<boolean>`(issues.search @@ ${words}
    or strpos(lower(issues.title), ${q.toLowerCase()}) > 0
    or (issues.project_id, issues.kind, issues.number) in (
      select project_id, kind, number from issue_comments where project_id = any(${projectIds}) and search @@ ${words}))`;
}

/** First comment with every word of a text, for issues that do not have them themselves; null for others. */
export function matchingComment(q: string) {
  const words = sql`websearch_to_tsquery('english', ${q})`;
  return sql<string | null>`case when not issues.search @@ ${words} then (
    select body from issue_comments c
    where c.project_id = issues.project_id and c.kind = issues.kind and c.number = issues.number and c.search @@ ${words}
    order by c.created_at limit 1) end`;
}

/** Order of matches: the best first, then the most recently updated. */
export function issueRank(q: string) {
  return sql<number>`ts_rank_cd(issues.search, websearch_to_tsquery('english', ${q}))`;
}

/** Lists one page of the issues that match, and counts all. */
export async function listIssues(
  db: Kysely<Database>,
  query: IssueQuery & { skip: number; limit: number },
): Promise<{ rows: IssueRow[]; total: number }> {
  const matching = matchingIssues(db, query);
  const { total } = await matching
    .select(({ fn }) => fn.countAll<string>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await matching
    .select(ROW_COLUMNS)
    .$if(query.q !== '', (one) => one.orderBy(issueRank(query.q), 'desc'))
    .orderBy('updated_at', (order) => order.desc().nullsLast())
    .orderBy('number', 'desc')
    .offset(query.skip)
    .limit(query.limit)
    .execute();
  return { rows, total: Number(total) };
}

/** Finds an issue by its number; the issue where a pull request has the same. */
export async function findIssue(
  db: Kysely<Database>,
  { projectId, number, kind }: { projectId: string; number: number; kind?: IssueKind | undefined },
): Promise<Selectable<IssuesTable> | null> {
  const row = await db
    .selectFrom('issues')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('number', '=', number)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind!))
    .orderBy('kind')
    .executeTakeFirst();
  return row ?? null;
}

/** Comments of an issue, oldest first. */
export async function listComments(
  db: Kysely<Database>,
  { project_id, kind, number }: Pick<Selectable<IssuesTable>, 'project_id' | 'kind' | 'number'>,
): Promise<Pick<Selectable<IssueCommentsTable>, 'id' | 'author' | 'body' | 'created_at' | 'updated_at'>[]> {
  return await db
    .selectFrom('issue_comments')
    .select(['id', 'author', 'body', 'created_at', 'updated_at'])
    .where('project_id', '=', project_id)
    .where('kind', '=', kind)
    .where('number', '=', number)
    .orderBy('created_at', (order) => order.asc().nullsFirst())
    .orderBy(sql`length(id)`)
    .orderBy('id')
    .limit(MAX_ISSUE_COMMENTS)
    .execute();
}

type LinkedIssue = Omit<CommitIssue, 'url'>;

/** Lists the issues that commits belong to, pull requests first, by hash. */
export async function listIssuesOfCommits(
  db: Kysely<Database>,
  projectId: string,
  hashes: readonly string[],
): Promise<Map<string, LinkedIssue[]>> {
  const rows = await db
    .selectFrom('commit_issues as l')
    .innerJoin('issues as i', (join) =>
      join
        .onRef('i.project_id', '=', 'l.project_id')
        .onRef('i.kind', '=', 'l.kind')
        .onRef('i.number', '=', 'l.number'),
    )
    .select(['l.commit', 'l.source', 'i.kind', 'i.number', 'i.title', 'i.state'])
    .where('l.project_id', '=', projectId)
    .where('l.commit', 'in', hashes.length > 0 ? [...hashes] : [''])
    .orderBy('i.kind')
    .orderBy('i.number')
    .execute();
  const found = new Map<string, LinkedIssue[]>();
  for (const { commit, ...issue } of rows) {
    const issues = found.get(commit) ?? [];
    if (issues.length < MAX_LINKED) issues.push(issue);
    found.set(commit, issues);
  }
  return found;
}

type IssueUrl = (issue: Pick<Issue, 'kind' | 'number'>) => string | null;

/** Returns the function that forms the URLs of issues at the project's host; of null where its kind is unknown. */
export async function createIssueUrl(
  deps: Pick<Deps, 'db' | 'keys'>,
  project: { id: string; git_url: string },
): Promise<IssueUrl> {
  const repository = parseHostRepository(project.git_url);
  const host = repository && (await findCodeHost(deps, project));
  return (issue) => (repository && host ? issuePageUrl(host.kind, repository, issue) : null);
}

/** Presents a row as the contract has it. */
export function presentIssue(row: IssueRow, url: IssueUrl): Issue {
  const { kind, number, title, state, author, labels, created_at, updated_at } = row;
  return {
    ...{ kind, number, title, state, author, labels },
    url: url(row),
    created_at: created_at?.toISOString() ?? null,
    updated_at: updated_at?.toISOString() ?? null,
  };
}
