import { z } from 'zod';
import { type HistoryFound, searchHistory } from '#search/history.ts';
import { citeCommit } from '../citations.ts';
import { code, fenced, plain } from '../markdown.ts';
import { defineTool, limit, words } from './tool.ts';

const SHOWN_LINES = 14;

export const searchChanges = defineTool('search_changes', {
  input: z.object({
    query: words(10_000).describe('Text of the changed lines'),
    match: z.enum(['words', 'exact']).default('words'),
    side: z
      .enum(['any', 'added', 'removed'])
      .default('any')
      .describe('Only lines that were added, or removed'),
    limit: limit(20, 6),
  }),
  async execute({ query: q, match, side, limit: most }, { repo, memory, hunks, signal }) {
    if (!hunks) return 'The changes of this history have not been read.';
    const options = { directory: hunks, repo, memory, q, match, limit: most, signal };
    const found = await searchHistory({ ...options, ...(side !== 'any' && { side }) });
    const { commits, total } = found.read;
    const unread = total === null || commits < total ? `Read so far: ${commits} commits.` : '';
    if (found.changes.length === 0) return `No change fits. ${unread}`.trim();
    const ends = [
      found.first && `First added by ${introduce(found.first)}.`,
      found.last && `Last removed by ${introduce(found.last)}.`,
    ];
    return [...ends, ...found.changes.map(showChange), unread].filter(Boolean).join('\n\n');
  },
});

type Hit = HistoryFound['changes'][number];

function introduce({ hash, message, author, timestamp, old_path, new_path }: Hit): string {
  const path = new_path ?? old_path ?? '';
  return `${citeCommit(hash)} “${plain(message)}” (${plain(author)}, ${timestamp.slice(0, 10)}) in ${code(path)}`;
}

function showChange(hit: Hit): string {
  if (!hit.hunk) return `- ${introduce(hit)}`;
  const signs = { context: ' ', add: '+', delete: '-' };
  const lines = hit.hunk.lines.slice(0, SHOWN_LINES).map(({ kind, text }) => `${signs[kind]}${text}`);
  return `${introduce(hit)}:\n\n${fenced('diff', lines.join('\n'))}`;
}
