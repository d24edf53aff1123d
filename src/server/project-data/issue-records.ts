import { type Kysely, sql } from 'kysely';
import type { CitableIssues, IssueRecord } from '#assistant/answer/issue-record.ts';
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

/** Finds issues with the words that are rarest among them first, and the commits of each. */
async function findIssueRecords(db: Kysely<Database>, query: RecordQuery): Promise<IssueRecord[]> {
  const { projectId, numbers, text = '', kind, state, minRank = 0, limit } = query;
  // Any of the words: a question has more of them than an issue.
  const words = sql`replace(plainto_tsquery('english', ${text.slice(0, MAX_QUERY)})::text, '&', '|')::tsquery`;
  const rank = sql<number>`ts_rank(search, ${words}, 1)`;
  const rows = await db
    .selectFrom('issues')
    .select(['kind', 'number', 'title', 'body', 'state', 'author', 'updated_at'])
    .select(({ selectFrom }) =>
      selectFrom('commit_issues as l')
        .select(sql<string[]>`coalesce((array_agg(l.commit))[1:${sql.lit(MAX_LINKED)}], '{}')`.as('commits'))
        .whereRef('l.project_id', '=', 'issues.project_id')
        .whereRef('l.kind', '=', 'issues.kind')
        .whereRef('l.number', '=', 'issues.number')
        .as('commits'),
    )
    .where('project_id', '=', projectId)
    .$if(numbers !== undefined, (one) => one.where('number', 'in', numbers!))
    .$if(kind !== undefined, (one) => one.where('kind', '=', kind!))
    .$if(state !== undefined, (one) => one.where('state', '=', state!))
    .$if(text !== '', (one) =>
      one.where(sql<boolean>`search @@ ${words}`).where(rank, '>=', minRank).orderBy(rank, 'desc'),
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
  return await findIssueRecords(db, { projectId, text: error, limit: MAX_CANDIDATES });
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
        .where('project_id', '=', projectId)
        .where('number', '=', number)
        .execute();
      return rows.length > 0 ? rows.map(({ title, body }) => `${title}\n\n${body}`).join('\n\n') : null;
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
