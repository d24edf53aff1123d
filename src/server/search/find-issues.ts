import { type Kysely, sql } from 'kysely';
import type { SearchResult } from '#contract/search-results.ts';
import type { Database } from '#db/schema.ts';
import { issueRank, matchingComment, matchingIssues } from '../project-data/issues.ts';
import { MAX_TEXT_MATCHES, type TextSearch } from './queries.ts';

type IssueResult = Extract<SearchResult, { kind: 'issue' }>;

/** Characters of the text of an issue that are shown, or of the comment that has the words. */
const EXCERPT_LENGTH = 200;

/** Imported issues and pull requests with every word, or with the number that is asked for; the best matches first. */
export async function findIssues(db: Kysely<Database>, search: TextSearch): Promise<IssueResult[]> {
  const { projectIds, text, filters } = search;
  if (projectIds.length === 0) return [];
  const time = sql`coalesce(updated_at, created_at)`;
  const hasAuthor = (value: string) =>
    sql<boolean>`strpos(lower(coalesce(author, '')), ${value.toLowerCase()}) > 0`;
  const { author, date } = filters;
  const rows = await matchingIssues(db, { projectIds, q: text })
    .select(['project_id', 'kind as issue_kind', 'number', 'title', 'state', 'author'])
    .select(sql<string>`left(coalesce(${matchingComment(text)}, body), ${EXCERPT_LENGTH * 3})`.as('body'))
    .select(sql<Date | null>`${time}`.as('time'))
    .$if(author.include.length > 0, (query) => query.where(({ or }) => or(author.include.map(hasAuthor))))
    .$if(author.exclude.length > 0, (query) =>
      query.where(({ not, or }) => not(or(author.exclude.map(hasAuthor)))),
    )
    .$if(date?.since != null, (query) => query.where(sql<boolean>`${time} >= to_timestamp(${date!.since})`))
    .$if(date?.until != null, (query) => query.where(sql<boolean>`${time} < to_timestamp(${date!.until})`))
    .$if(text !== '', (query) => query.orderBy(issueRank(text), 'desc'))
    .orderBy(time, (order) => order.desc().nullsLast())
    .limit(MAX_TEXT_MATCHES + 1)
    .execute();
  return rows.map(({ body, time, author, ...row }) => ({
    kind: 'issue',
    ...row,
    excerpt: body.replace(/\s+/g, ' ').trim().slice(0, EXCERPT_LENGTH) || null,
    author: author ?? '',
    timestamp: time?.toISOString() ?? '',
  }));
}
