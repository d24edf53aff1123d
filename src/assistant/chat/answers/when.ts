import { age } from '#investigate/sentences.ts';
import { formatCommit, inlineCode } from '../../markdown.ts';
import { findLineHistory, formatOrigin } from '../../tools/code-origin.ts';
import { commitsTouching } from '../../tools/file-commits.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { type CodeRange, findCodeRange } from '../code-range.ts';
import type { Question } from '../question.ts';

const MAX_COMMITS = 5;

/** When a file or a definition came to be, and when it changed since. */
export async function answerWhen({ targets }: Question, deps: ToolContext): Promise<string | null> {
  const { memory, now } = deps;
  const subject = findCodeRange(targets, deps);
  if (!subject) return null;
  const { commits, before } = await tell(subject, deps);
  const [last, first] = [commits[0], commits.at(-1)];
  if (last === undefined || first === undefined) return null;
  const ago = (commit: number) => age(memory.commits.time(commit), now).words;
  const came = subject.lines ? 'The beginning of' : 'The first commit of';
  const parts = [`${came} ${subject.name} came ${ago(first)}: ${formatCommit(memory, first)}.`];
  if (before !== '') parts.push(before);
  if (last !== first) parts.push(`The last change was ${ago(last)}: ${formatCommit(memory, last)}.`);
  const between = commits.slice(1, -1);
  if (between.length > 0) {
    const items = between.slice(0, MAX_COMMITS).map((commit) => `- ${formatCommit(memory, commit)}`);
    const more = between.length - items.length;
    parts.push(
      `In between${more > 0 ? `, the newest ${MAX_COMMITS} of ${between.length}` : ''}:\n\n${items.join('\n')}`,
    );
  }
  return parts.join('\n\n');
}

/** The commits that made the subject, newest first, and what has to be said of its beginning. */
async function tell({ path, lines, symbol }: CodeRange, deps: ToolContext) {
  if (!lines) return { commits: commitsTouching(path, deps), before: await formatOrigin(path, deps) };
  const { commits, named } = await findLineHistory({ path, lines, name: symbol }, deps);
  const before =
    named === null
      ? ''
      : `The name ${inlineCode(symbol ?? '')} came with ${formatCommit(deps.memory, named)}.`;
  return { commits, before };
}
