import { isFixCommit } from '#evolution/fixes.ts';
import { judgeFixes } from '#evolution/held.ts';
import { parseQuery } from '#search/query.ts';
import { rankCommits } from '#search/rank.ts';
import { code, introduceCommit, sayHeld } from '../../markdown.ts';
import type { Question } from '../question.ts';
import { type AnswerDeps, commitsOf, subjectOf } from '../subject.ts';

const CONSIDERED = 300;
const SHOWN = 4;
const SHOWN_PATHS = 3;

/** How the like of this was fixed before, and whether the fixes held. */
export async function answerFixed({ text, targets }: Question, deps: AnswerDeps): Promise<string | null> {
  const { repo, memory, now, signal } = deps;
  const subject = subjectOf(targets, deps);
  const alike = rankCommits(memory, parseQuery(text), { limit: CONSIDERED }).map(({ commit }) => commit);
  const own = subject ? commitsOf(subject.path, deps) : [];
  const candidates = [...new Set([...own, ...alike])];
  const fixes = candidates.filter((commit) => isFixCommit(memory, commit)).slice(0, SHOWN);
  if (fixes.length === 0) {
    return subject ? `No commit that touched ${subject.name} reads like a fix.` : null;
  }
  const held = await judgeFixes({ repo, memory, commits: fixes, now, signal });
  const items = fixes.map((commit, index) => {
    const paths = Array.from(memory.commits.paths(commit), (path) => code(memory.commits.path(path)));
    const more = paths.length > SHOWN_PATHS ? ` and ${paths.length - SHOWN_PATHS} more` : '';
    return `- ${introduceCommit(memory, commit)} in ${paths.slice(0, SHOWN_PATHS).join(', ')}${more}. ${sayHeld(held[index]!)}`;
  });
  const head = subject
    ? `Fixes in ${subject.name}, the newest first:`
    : 'Earlier fixes that read most like it:';
  return `${head}\n\n${items.join('\n')}`;
}
