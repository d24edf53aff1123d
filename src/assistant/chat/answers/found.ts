import { blame } from '#git/blame.ts';
import type { CodeTable } from '#memory/memory.ts';
import { type RankedFile, rankFiles } from '#search/files.ts';
import { parseQuery, type Query } from '#search/query.ts';
import { rankCommits } from '#search/rank.ts';
import { snippet } from '#search/snippet.ts';
import { citeLines } from '../../citations.ts';
import { code, fenced, introduceCommit } from '../../markdown.ts';
import type { Question } from '../question.ts';
import type { AnswerDeps } from '../subject.ts';

const FILES = 3;
const COMMITS = 3;
const SNIPPET_LINES = 8;

/** The files that fit a question best, each by its best passage and the commit behind it, and commits that read like it. */
export async function answerFound({ text }: Question, deps: AnswerDeps): Promise<string> {
  const { memory } = deps;
  const query = parseQuery(text);
  const files = rankFiles(memory, query, { limit: FILES });
  const shown = await Promise.all(files.map((file) => showFile(file, query, memory.code!, deps)));
  const commits = rankCommits(memory, query, { limit: COMMITS }).map(
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

async function showFile(
  { file, passages }: RankedFile,
  query: Query,
  table: CodeTable,
  { repo, memory, sources, signal }: AnswerDeps,
): Promise<string> {
  const passage = passages[0]?.passage ?? table.filePassages(file).first;
  const path = table.filePath(file);
  const { start: from, end } = table.passageLines(passage);
  const to = Math.max(from, Math.min(end, table.fileLines(file)));
  const symbol = table.passageSymbol(passage);
  const blamed = await blame(repo, { commit: memory.revision, path, from, to, signal });
  const commits = blamed.map(({ oid }) => memory.commits.find(oid)).filter((commit) => commit >= 0);
  const last = commits.length > 0 ? `, last changed by ${introduceCommit(memory, Math.min(...commits))}` : '';
  const head = `${citeLines(path, from, to, memory.revision)}${symbol ? ` ${code(symbol)}` : ''}${last}:`;
  const source = (await sources.lines(path))?.slice(from - 1, to).join('\n') ?? '';
  const { text } = snippet(source, query, SNIPPET_LINES);
  return `${head}\n\n${fenced(table.fileLanguage(file), text.replace(/^\s*\n/, ''))}`;
}
