import { z } from 'zod';
import type { CommitTable } from '#memory/repository-index.ts';
import { parseQuery } from '#search/lexical/parse-query.ts';
import { rankCommits } from '#search/lexical/rank-documents.ts';
import { formatCommit } from '../answer/markdown.ts';
import { commitsTouching } from './file-commits.ts';
import { defineTool, limitInput, pathInput, type ToolContext, textInput } from './tool.ts';

const day = z.iso.date().describe('A day, such as 2024-05-31');
/** Commits ranked by their messages, which the other conditions then filter. */
const MAX_RANKED = 2_000;

export const searchCommits = defineTool('search_commits', {
  input: z.object({
    query: textInput(10_000).optional().describe('Words of the message'),
    author: textInput(200).optional().describe('Part of the name or address of the author'),
    path: pathInput.optional(),
    since: day.optional(),
    until: day.optional(),
    limit: limitInput(50, 10),
  }),
  async execute(input, context) {
    return formatMatchingCommits(input, context) ?? 'No commit matches.';
  },
});

interface CommitQuery {
  query?: string | undefined;
  author?: string | undefined;
  path?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  limit: number;
}

/** List of the commits that match, as markdown; null for none. */
export function formatMatchingCommits(
  { query, limit: most, ...conditions }: CommitQuery,
  context: Pick<ToolContext, 'index'>,
): string | null {
  const { index } = context;
  const touching = conditions.path === undefined ? null : new Set(commitsTouching(conditions.path, context));
  const candidates =
    query === undefined
      ? Array.from({ length: index.commits.count }, (_, commit) => commit)
      : rankCommits(index, parseQuery(query), { limit: MAX_RANKED }).map(({ commit }) => commit);
  const fits = createFilter(conditions, index.commits);
  const found = candidates.filter((commit) => (touching?.has(commit) ?? true) && fits(commit));
  if (found.length === 0) return null;
  const items = found.slice(0, most).map((commit) => `- ${formatCommit(index, commit)}`);
  return items.join('\n');
}

function createFilter(
  { author, since, until }: { author?: string; since?: string; until?: string },
  commits: CommitTable,
): (commit: number) => boolean {
  const name = author?.toLowerCase();
  const from = since ? Date.parse(`${since}T00:00:00Z`) / 1000 : Number.NEGATIVE_INFINITY;
  const to = until ? Date.parse(`${until}T23:59:59Z`) / 1000 : Number.POSITIVE_INFINITY;
  const isBounded = since !== undefined || until !== undefined;
  return (commit) => {
    if (name && !`${commits.author(commit)} ${commits.email(commit)}`.toLowerCase().includes(name))
      return false;
    const time = commits.time(commit);
    return !isBounded || (time >= from && time <= to);
  };
}
