import { AppError } from '#contract/errors.ts';
import { lineHistory } from '#git/line-history.ts';
import { age } from '#investigate/sentences.ts';
import { introduceCommit } from '../../markdown.ts';
import { blameOf, commitsOf, countByCommit } from '../../tools/history-of-file.ts';
import type { ToolContext } from '../../tools/tool.ts';
import type { Question } from '../question.ts';
import { subjectOf } from '../subject.ts';

const SHOWN = 5;
const MOST_CHANGES = 200;

/** When a file or a definition came to be, and when it changed since. */
export async function answerWhen({ targets }: Question, deps: ToolContext): Promise<string | null> {
  const { memory, now } = deps;
  const subject = subjectOf(targets, deps);
  if (!subject) return null;
  const commits = subject.lines
    ? await changesOf(subject.path, subject.lines, deps)
    : commitsOf(subject.path, deps);
  const [last, first] = [commits[0], commits.at(-1)];
  if (last === undefined || first === undefined) return null;
  const ago = (commit: number) => age(memory.commits.time(commit), now).words;
  const came = subject.lines ? 'The beginning of' : 'The first commit of';
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

/** Commits that changed the lines, newest first: followed back by git, or as blame knows them where that takes too long. */
async function changesOf(
  path: string,
  [from, to]: [number, number],
  context: ToolContext,
): Promise<number[]> {
  const { repo, memory, signal } = context;
  const request = { commit: memory.revision, path, from, to, most: MOST_CHANGES, signal };
  const changes = await lineHistory(repo, request).catch((error: unknown) => {
    if (error instanceof AppError && error.reason === 'timed_out') return [];
    throw error;
  });
  const followed = changes.map(({ oid }) => memory.commits.find(oid)).filter((commit) => commit >= 0);
  if (followed.length > 0) return followed;
  return [...countByCommit(await blameOf(path, [from, to], context), memory).keys()];
}
