import { isFixCommit } from '#evolution/fixes.ts';
import { formatCommit } from '../../markdown.ts';
import { findLineHistory, formatOrigin } from '../../tools/code-origin.ts';
import { quoteMessageBody } from '../../tools/describe-commit.ts';
import { blameRange, commitsTouching, countByCommit } from '../../tools/file-commits.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { findCodeRange } from '../code-range.ts';
import type { Question } from '../question.ts';

const MAX_COMMITS = 4;

/** Why code is the way it is: what the commits that shaped it say of themselves. */
export async function answerWhy({ targets }: Question, deps: ToolContext): Promise<string | null> {
  const { memory } = deps;
  const subject = findCodeRange(targets, deps);
  if (!subject) return null;
  const shaped = subject.lines
    ? await shapedLines(subject.path, subject.lines, deps)
    : commitsTouching(subject.path, deps);
  if (shaped.length === 0) return null;
  // The commit that began it explains most; then those that wrote most of what is there, or came last.
  const oldest = Math.max(...shaped);
  const told = [oldest, ...shaped.filter((commit) => commit !== oldest)].slice(0, MAX_COMMITS);
  const items = told.map((commit) => {
    const did = commit === oldest ? 'began it' : isFixCommit(memory, commit) ? 'mended it' : 'changed it';
    const body = quoteMessageBody(memory.commits.message(commit));
    return `${formatCommit(memory, commit)} ${did}.${body === '' ? '' : `\n\n${body}`}`;
  });
  const rest = shaped.length - told.length;
  const head = `${subject.name} was shaped by ${shaped.length} commit${shaped.length === 1 ? '' : 's'}. In their own words${rest > 0 ? `, those that tell most` : ''}:`;
  const source = subject.lines ? '' : await formatOrigin(subject.path, deps);
  return [head, ...items, source].filter((part) => part !== '').join('\n\n');
}

/** Commits that wrote what stands in the lines, most of it first, and the one with which they began. */
async function shapedLines(path: string, lines: [number, number], deps: ToolContext): Promise<number[]> {
  const blamed = countByCommit(await blameRange(path, lines, deps), deps.memory);
  const byLines = [...blamed].sort(([, a], [, b]) => b - a).map(([commit]) => commit);
  const { commits } = await findLineHistory({ path, lines }, deps);
  return [...new Set([...byLines, ...commits.slice(-1)])];
}
