import { isFixCommit } from '#evolution/fixes.ts';
import { introduceCommit } from '../../markdown.ts';
import { quoteBody } from '../../tools/commit-story.ts';
import { blameOf, commitsOf, countByCommit } from '../../tools/history-of-file.ts';
import type { ToolContext } from '../../tools/tool.ts';
import type { Question } from '../question.ts';
import { subjectOf } from '../subject.ts';

const SHOWN = 4;

/** Why code is the way it is: what the commits that shaped it say of themselves. */
export async function answerWhy({ targets }: Question, deps: ToolContext): Promise<string | null> {
  const { memory } = deps;
  const subject = subjectOf(targets, deps);
  if (!subject) return null;
  const lines = await blameOf(subject.path, subject.lines, deps);
  const byLines = [...countByCommit(lines, memory)].sort(([, a], [, b]) => b - a);
  const shaped = subject.lines ? byLines.map(([commit]) => commit) : commitsOf(subject.path, deps);
  if (shaped.length === 0) return null;
  // The commit that began it explains most; then those that wrote most of what is there, or came last.
  const oldest = Math.max(...shaped);
  const told = [oldest, ...shaped.filter((commit) => commit !== oldest)].slice(0, SHOWN);
  const items = told.map((commit) => {
    const did = commit === oldest ? 'began it' : isFixCommit(memory, commit) ? 'mended it' : 'changed it';
    const body = quoteBody(memory.commits.message(commit));
    return `${introduceCommit(memory, commit)} ${did}.${body === '' ? '' : `\n\n${body}`}`;
  });
  const rest = shaped.length - told.length;
  const head = `${subject.name} was shaped by ${shaped.length} commit${shaped.length === 1 ? '' : 's'}. In their own words${rest > 0 ? `, those that tell most` : ''}:`;
  return [head, ...items].join('\n\n');
}
