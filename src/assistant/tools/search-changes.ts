import { z } from 'zod';
import { type HistoryFound, searchHistory } from '#search/history.ts';
import { citeCommit } from '../citations.ts';
import { escapeMarkdown, fencedBlock, inlineCode } from '../markdown.ts';
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
  async execute({ query: q, match, side, limit: most }, { repo, memory, hunks, signal }) {
    if (!hunks) return 'The changes of this history have not been read.';
    const options = { directory: hunks, repo, memory, q, match, limit: most, signal };
    const found = await searchHistory({ ...options, ...(side !== 'any' && { side }) });
    const { commits, total } = found.read;
    const unread = total === null || commits < total ? `Read so far: ${commits} commits.` : '';
    if (found.changes.length === 0) return `No change fits. ${unread}`.trim();
    const ends = [
      found.first && `First added by ${formatChangeHeader(found.first)}.`,
      found.last && `Last removed by ${formatChangeHeader(found.last)}.`,
    ];
    return [...ends, ...found.changes.map(formatChange), unread].filter(Boolean).join('\n\n');
  },
});

type ChangeMatch = HistoryFound['changes'][number];

function formatChangeHeader({ hash, message, author, timestamp, old_path, new_path }: ChangeMatch): string {
  const path = new_path ?? old_path ?? '';
  return `${citeCommit(hash)} “${escapeMarkdown(message)}” (${escapeMarkdown(author)}, ${timestamp.slice(0, 10)}) in ${inlineCode(path)}`;
}

function formatChange(hit: ChangeMatch): string {
  if (!hit.hunk) return `- ${formatChangeHeader(hit)}`;
  const signs = { context: ' ', add: '+', delete: '-' };
  const lines = hit.hunk.lines.slice(0, MAX_HUNK_LINES).map(({ kind, text }) => `${signs[kind]}${text}`);
  return `${formatChangeHeader(hit)}:\n\n${fencedBlock('diff', lines.join('\n'))}`;
}
