import { isFixCommit } from '#evolution/fixes.ts';
import { answerText } from '../../answer/answer-text.ts';
import { formatCommit } from '../../answer/markdown.ts';
import { quoteMessageBody } from '../../answer/quote-body.ts';
import { findLineHistory, formatOrigin } from '../../tools/code-origin.ts';
import { blameRange, commitsTouching, countByCommit } from '../../tools/file-commits.ts';
import type { ToolContext } from '../../tools/tool.ts';
import type { CodeRange } from '../understand/code-range.ts';
import type { Reading } from '../understand/reading.ts';
import { relevanceTo } from './format-history.ts';

const MAX_COMMITS = 4;

/** Explains a file or definition by the messages of the commits that introduced and changed it; null without any. */
export async function explainRange(
  range: CodeRange,
  reading: Reading,
  context: ToolContext,
): Promise<string | null> {
  const { index } = context;
  const commits = range.lines
    ? await commitsOfLines(range.path, range.lines, context)
    : commitsTouching(range.path, context);
  if (commits.length === 0) return null;
  // The introducing commit explains most; then those that wrote most of the present lines, or are the newest.
  const oldest = Math.max(...commits);
  const shown = [oldest, ...commits.filter((commit) => commit !== oldest)].slice(0, MAX_COMMITS);
  const relevanceOf = relevanceTo(reading, context);
  const items = shown.map((commit) => {
    const verb = commit === oldest ? 'introduced' : isFixCommit(index, commit) ? 'fixed' : 'changed';
    const body = quoteMessageBody(index.commits.message(commit), { relevanceOf });
    const sentence = answerText(context, `why.${verb}`, { commit: formatCommit(index, commit) });
    return body === '' ? sentence : `${sentence}\n\n${body}`;
  });
  const head = answerText(context, commits.length > shown.length ? 'why.best' : 'why.all', {
    name: range.name,
    count: commits.length,
  });
  const origin = range.lines ? '' : await formatOrigin(range.path, context);
  return [head, ...items, origin].filter((part) => part !== '').join('\n\n');
}

/** Commits that wrote the present lines, those with most lines first, and the one that introduced them. */
async function commitsOfLines(
  path: string,
  lines: [number, number],
  context: ToolContext,
): Promise<number[]> {
  const blamed = countByCommit(await blameRange(path, lines, context), context.index);
  const byLines = [...blamed].sort(([, a], [, b]) => b - a).map(([commit]) => commit);
  const { commits } = await findLineHistory({ path, lines }, context);
  return [...new Set([...byLines, ...commits.slice(-1)])];
}
