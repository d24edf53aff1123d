import { isBesideTheCode } from '#evolution/fixes.ts';
import { blame } from '#git/blame.ts';
import { parseQuery } from '#search/query.ts';
import { rankCommits } from '#search/rank.ts';
import { type PassageHit, search } from '#search/search.ts';
import { citeLines } from '../../citations.ts';
import { code, fenced, introduceCommit } from '../../markdown.ts';
import type { Question } from '../question.ts';
import type { AnswerDeps } from '../subject.ts';

const PASSAGES = 3;
/** Among so many of the best the program goes before its tests, which say the same words oftener. */
const CONSIDERED = 12;
const COMMITS = 3;

/** The passages that fit a question best, each with the commit that changed it last, and commits that read like it. */
export async function answerFound({ text }: Question, deps: AnswerDeps): Promise<string> {
  const { repo, memory, signal } = deps;
  const { passages } = await search({ repo, memory, q: text, limit: CONSIDERED, signal });
  const best = passages
    .toSorted((a, b) => Number(isBesideTheCode(a.path)) - Number(isBesideTheCode(b.path)))
    .slice(0, PASSAGES);
  const shown = await Promise.all(best.map((passage) => showPassage(passage, deps)));
  const commits = rankCommits(memory, parseQuery(text), { limit: COMMITS }).map(
    ({ commit }) => `- ${introduceCommit(memory, commit)}`,
  );
  const parts: string[] = [];
  if (shown.length > 0) parts.push('The code that fits the question best:', ...shown);
  if (commits.length > 0) parts.push(`Commits that read like it:\n\n${commits.join('\n')}`);
  if (parts.length === 0) {
    return 'Nothing in the code or its history shares a word with this question. Name a file, a function or a commit.';
  }
  return parts.join('\n\n');
}

async function showPassage(passage: PassageHit, { repo, memory, signal }: AnswerDeps): Promise<string> {
  const { path, start_line: from, end_line: to, symbol, language, snippet } = passage;
  const lines = await blame(repo, { commit: memory.revision, path, from, to, signal });
  const commits = lines.map(({ oid }) => memory.commits.find(oid)).filter((commit) => commit >= 0);
  const last = commits.length > 0 ? `, last changed by ${introduceCommit(memory, Math.min(...commits))}` : '';
  const file = memory.code?.fileNumber(path) ?? -1;
  const end = file >= 0 ? Math.min(to, memory.code!.fileLines(file)) : to;
  const head = `${citeLines(path, from, end, memory.revision)}${symbol ? ` ${code(symbol)}` : ''}${last}:`;
  return `${head}\n\n${fenced(language, snippet.replace(/^\s*\n/, ''))}`;
}
