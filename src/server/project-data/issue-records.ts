import { type Kysely, sql } from 'kysely';
import { type CitableIssues, citableText, type IssueRecord } from '#assistant/answer/issue-record.ts';
import { issuesTool } from '#assistant/tools/issues.ts';
import type { IssueKind, IssueState } from '#contract/issues.ts';
import { MAX_LINKED } from '#contract/issues.ts';
import type { Database } from '#db/schema.ts';

/** Characters of a text whose words are searched. */
const MAX_QUERY = 1_000;
/** Issues that the words of a question find, and those that it names. */
const [MAX_RELATED, MAX_NAMED] = [5, 3];
/** Issues that are compared with an error. */
const MAX_CANDIDATES = 30;
/** Characters of the comments of one issue, together. */
const MAX_COMMENTS_TEXT = 16_000;
/** Comments that are ranked: the most recent ones that have any of the words. */
const MAX_RANKED_COMMENTS = 5_000;
/** Rank of the words below which an issue is not related to a question. */
const MIN_RANK = 0.1;

interface RecordQuery {
  projectId: string;
  numbers?: readonly number[];
  /** Words of which some must occur. */
  text?: string;
  kind?: IssueKind | undefined;
  state?: IssueState | undefined;
  minRank?: number;
  limit: number;
}

/** Comments of an issue as one text, oldest first, each after the name of its author. */
const commentsText = sql<string>`coalesce((
  select left(string_agg(coalesce(c.author, 'Comment') || ': ' || c.body, E'\n\n' order by c.created_at nulls first, length(c.id), c.id), ${sql.lit(MAX_COMMENTS_TEXT)})
  from issue_comments c
  where c.project_id = issues.project_id and c.kind = issues.kind and c.number = issues.number), '')`;

/** Finds issues with the words that are rarest among them and their comments first, and the commits of each. */
async function findIssueRecords(db: Kysely<Database>, query: RecordQuery): Promise<IssueRecord[]> {
  const { projectId, numbers, text = '', kind, state, minRank = 0, limit } = query;
  // Any of the words: a question has more of them than an issue.
  const words = sql`replace(plainto_tsquery('english', ${text.slice(0, MAX_QUERY)})::text, '&', '|')::tsquery`;
  const rank = sql<number>`greatest(ts_rank(search, ${words}, 1), comment_rank)`;
  const rows = await db
    .with('recent_comments', (cte) =>
      cte
        .selectFrom('issue_comments')
        .select(['kind', 'number', 'search'])
        .where('project_id', '=', projectId)
        .where(sql<boolean>`search @@ ${words}`)
        .orderBy('created_at', (order) => order.desc().nullsLast())
        .limit(MAX_RANKED_COMMENTS),
    )
    .with('matching_comments', (cte) =>
      cte
        .selectFrom('recent_comments')
        .select(['kind', 'number'])
        .select(sql<number>`max(ts_rank(search, ${words}, 1))`.as('comment_rank'))
        .groupBy(['kind', 'number']),
    )
    .selectFrom('issues')
    .leftJoin('matching_comments as m', (join) =>
      join.onRef('m.kind', '=', 'issues.kind').onRef('m.number', '=', 'issues.number'),
    )
    .select(['issues.kind', 'issues.number', 'title', 'body', 'state', 'author', 'updated_at'])
    .select(commentsText.as('comments'))
    .select(({ selectFrom }) =>
      selectFrom('commit_issues as l')
        .select(sql<string[]>`coalesce((array_agg(l.commit))[1:${sql.lit(MAX_LINKED)}], '{}')`.as('commits'))
        .whereRef('l.project_id', '=', 'issues.project_id')
        .whereRef('l.kind', '=', 'issues.kind')
        .whereRef('l.number', '=', 'issues.number')
        .as('commits'),
    )
    .where('project_id', '=', projectId)
    .$if(numbers !== undefined, (one) => one.where('issues.number', 'in', numbers!))
    .$if(kind !== undefined, (one) => one.where('issues.kind', '=', kind!))
    .$if(state !== undefined, (one) => one.where('state', '=', state!))
    .$if(text !== '', (one) =>
      one
        .where(sql<boolean>`(search @@ ${words} or comment_rank is not null)`)
        .where(rank, '>=', minRank)
        .orderBy(rank, 'desc'),
    )
    .orderBy('updated_at', (order) => order.desc().nullsLast())
    .limit(limit)
    .execute();
  return rows.map(({ updated_at, commits, ...row }) => ({
    ...row,
    updatedAt: updated_at?.toISOString() ?? null,
    commits: commits ?? [],
  }));
}

/** Issues for a call of the tool `issues`; none for an input that it refuses. */
export async function findToolIssues(
  db: Kysely<Database>,
  projectId: string,
  input: unknown,
): Promise<IssueRecord[]> {
  const parsed = issuesTool.input.safeParse(input ?? {});
  if (!parsed.success) return [];
  const { query, number, kind, state, limit } = parsed.data as {
    query?: string;
    number?: number;
    kind?: IssueKind;
    state?: IssueState;
    limit: number;
  };
  const numbers = number === undefined ? undefined : [number];
  return await findIssueRecords(db, {
    ...{ projectId, kind, state, limit },
    ...(numbers && { numbers }),
    ...(query && !numbers && { text: query }),
  });
}

/** Issues that a question names, then those that its words find; undefined where none are imported. */
export async function findQuestionIssues(
  db: Kysely<Database>,
  projectId: string,
  question: string,
): Promise<IssueRecord[] | undefined> {
  if (!(await hasIssues(db, projectId))) return undefined;
  const numbers = [
    ...question.matchAll(/(?:[#!]|\bgh-|\/(?:issues|pulls?|merge_requests)\/)([1-9]\d{0,8})\b/gi),
  ]
    .map(([, number]) => Number(number))
    .slice(0, MAX_NAMED);
  const named =
    numbers.length > 0 ? await findIssueRecords(db, { projectId, numbers, limit: MAX_NAMED * 2 }) : [];
  if (named.length > 0) return named;
  return await findIssueRecords(db, { projectId, text: question, minRank: MIN_RANK, limit: MAX_RELATED });
}

/** Issues whose words may report an error; undefined where none are imported. */
export async function findErrorIssues(
  db: Kysely<Database>,
  projectId: string,
  error: string,
): Promise<IssueRecord[] | undefined> {
  if (!(await hasIssues(db, projectId))) return undefined;
  const found = await findIssueRecords(db, { projectId, text: error, limit: MAX_CANDIDATES });
  // The trace is often in a comment.
  return found.map((issue) => ({ ...issue, body: [issue.body, issue.comments].join('\n\n') }));
}

/** Imported issues as sources of citations; undefined where none are. */
export async function openCitableIssues(
  db: Kysely<Database>,
  projectId: string,
): Promise<CitableIssues | undefined> {
  if (!(await hasIssues(db, projectId))) return undefined;
  return {
    read: async (number) => {
      const rows = await db
        .selectFrom('issues')
        .select(['title', 'body'])
        .select(commentsText.as('comments'))
        .where('project_id', '=', projectId)
        .where('number', '=', number)
        .execute();
      return rows.length > 0 ? rows.map(citableText).join('\n\n') : null;
    },
  };
}

async function hasIssues(db: Kysely<Database>, projectId: string): Promise<boolean> {
  const row = await db
    .selectFrom('issues')
    .select('number')
    .where('project_id', '=', projectId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
