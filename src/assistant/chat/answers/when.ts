import { age } from '#investigate/sentences.ts';
import { code, introduceCommit } from '../../markdown.ts';
import { saySource, storyOf } from '../../tools/beginnings.ts';
import { commitsOf } from '../../tools/history-of-file.ts';
import type { ToolContext } from '../../tools/tool.ts';
import type { Question } from '../question.ts';
import { type Subject, subjectOf } from '../subject.ts';

const SHOWN = 5;

/** When a file or a definition came to be, and when it changed since. */
export async function answerWhen({ targets }: Question, deps: ToolContext): Promise<string | null> {
  const { memory, now } = deps;
  const subject = subjectOf(targets, deps);
  if (!subject) return null;
  const { commits, before } = await tell(subject, deps);
  const [last, first] = [commits[0], commits.at(-1)];
  if (last === undefined || first === undefined) return null;
  const ago = (commit: number) => age(memory.commits.time(commit), now).words;
  const came = subject.lines ? 'The beginning of' : 'The first commit of';
  const parts = [`${came} ${subject.name} came ${ago(first)}: ${introduceCommit(memory, first)}.`];
  if (before !== '') parts.push(before);
  if (last !== first) parts.push(`The last change was ${ago(last)}: ${introduceCommit(memory, last)}.`);
  const between = commits.slice(1, -1);
  if (between.length > 0) {
    const items = between.slice(0, SHOWN).map((commit) => `- ${introduceCommit(memory, commit)}`);
    const more = between.length - items.length;
    parts.push(
      `In between${more > 0 ? `, the newest ${SHOWN} of ${between.length}` : ''}:\n\n${items.join('\n')}`,
    );
  }
  return parts.join('\n\n');
}

/** The commits that made the subject, newest first, and what has to be said of its beginning. */
async function tell({ path, lines, symbol }: Subject, deps: ToolContext) {
  if (!lines) return { commits: commitsOf(path, deps), before: await saySource(path, deps) };
  const { commits, named } = await storyOf({ path, lines, name: symbol }, deps);
  const before =
    named === null ? '' : `The name ${code(symbol ?? '')} came with ${introduceCommit(deps.memory, named)}.`;
  return { commits, before };
}
