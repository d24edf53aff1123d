import { z } from 'zod';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { type HistorySearchResult, searchHistory } from '#search/changes/search-history.ts';
import { citeCommit } from '../answer/citations.ts';
import { escapeMarkdown, fencedBlock, inlineCode } from '../answer/markdown.ts';
import { defineTool, limitInput, textInput } from './tool.ts';

const MAX_HUNK_LINES = 14;

export const searchChanges = defineTool('search_changes', {
  input: z.object({
    query: textInput(10_000).describe('Text of the changed lines'),
    match: z.enum(['words', 'exact']).default('words'),
    side: z
      .enum(['any', 'added', 'removed'])
      .default('any')
      .describe('Only lines that were added, or removed'),
    limit: limitInput(20, 6),
  }),
  async execute({ query: q, match, side, limit: most }, context) {
    const { repo, index, hunks, signal } = context;
    if (!hunks) return 'The changes of this history have not been indexed.';
    const options = { directory: hunks, repo, index, q, match, limit: most, signal };
    const found = await searchHistory({ ...options, ...(side !== 'any' && { side }) });
    const { commits, total } = found.indexed;
    const unread = total === null || commits < total ? `Indexed so far: ${commits} commits.` : '';
    if (found.changes.length === 0) return `No change matches. ${unread}`.trim();
    const ends = [
      found.first_added && `First added by ${formatChangeHeader(found.first_added, index)}.`,
      found.last_removed && `Last removed by ${formatChangeHeader(found.last_removed, index)}.`,
    ];
    return [...ends, ...found.changes.map((change) => formatChange(change, index)), unread]
      .filter(Boolean)
      .join('\n\n');
  },
});

type ChangeMatch = HistorySearchResult['changes'][number];

function formatChangeHeader(
  { hash, message, author, timestamp, old_path, new_path }: ChangeMatch,
  { commits }: RepositoryIndex,
): string {
  const path = new_path ?? old_path ?? '';
  return `${citeCommit(hash, commits)} “${escapeMarkdown(message)}” (${escapeMarkdown(author)}, ${timestamp.slice(0, 10)}) in ${inlineCode(path)}`;
}

function formatChange(change: ChangeMatch, index: RepositoryIndex): string {
  if (!change.hunk) return `- ${formatChangeHeader(change, index)}`;
  const signs = { context: ' ', add: '+', delete: '-' };
  const lines = change.hunk.lines.slice(0, MAX_HUNK_LINES).map(({ kind, text }) => `${signs[kind]}${text}`);
  return `${formatChangeHeader(change, index)}:\n\n${fencedBlock('diff', lines.join('\n'))}`;
}
