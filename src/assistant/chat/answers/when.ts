import { age } from '#investigate/sentences.ts';
import { introduceCommit } from '../../markdown.ts';
import { blameOf, commitsOf, countByCommit } from '../../tools/history-of-file.ts';
import type { ToolContext } from '../../tools/tool.ts';
import type { Question } from '../question.ts';
import { subjectOf } from '../subject.ts';

const SHOWN = 5;

/** When a file or a definition came to be, and when it changed since. */
export async function answerWhen({ targets }: Question, deps: ToolContext): Promise<string | null> {
  const { memory, now } = deps;
  const subject = subjectOf(targets, deps);
  if (!subject) return null;
  const commits = subject.lines
    ? [...countByCommit(await blameOf(subject.path, subject.lines, deps), memory).keys()]
    : commitsOf(subject.path, deps);
  const [last, first] = [commits[0], commits.at(-1)];
  if (last === undefined || first === undefined) return null;
  const ago = (commit: number) => age(memory.commits.time(commit), now).words;
  const came = subject.lines ? 'The oldest lines of' : 'The first commit of';
  const parts = [`${came} ${subject.name} came ${ago(first)}: ${introduceCommit(memory, first)}.`];
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
