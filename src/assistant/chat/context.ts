import { isoTime } from '#contract/iso-time.ts';
import { rankFiles } from '#search/code/rank-files.ts';
import { parseQuery } from '#search/lexical/parse-query.ts';
import { rankCommits } from '#search/lexical/rank-documents.ts';
import { citeCommit, citeLines } from '../answer/citations.ts';
import { fitSections } from '../answer/text-budget.ts';
import type { ToolContext } from '../tools/tool.ts';
import { issueSections } from './related-issues.ts';
import { entitiesOf } from './understand/entities.ts';
import type { Reading } from './understand/reading.ts';

/** Characters of repository text in a prompt. */
const MAX_LENGTH = 24_000;
const MAX_FILES = 8;
const MAX_PASSAGES_PER_FILE = 2;
const MAX_COMMITS = 8;
const MAX_LINES = 80;
const MAX_MESSAGE = 800;

/** Collects the repository text for a model's prompt: the exact answer, then passages and commits by turns. */
export async function collectContext(
  { question, mentions }: Reading,
  exact: string | null,
  deps: ToolContext,
): Promise<string> {
  const query = parseQuery(question);
  const definitions = entitiesOf(mentions, 'symbol').flatMap(({ passages }) => passages.slice(0, 2));
  const ranked = rankFiles(deps.index, query, { limit: MAX_FILES, embedding: deps.queryEmbedding }).flatMap(
    ({ passages: best }) => best.slice(0, MAX_PASSAGES_PER_FILE).map(({ passage }) => passage),
  );
  const passages = await Promise.all(
    [...new Set([...definitions, ...ranked])].map((passage) => formatPassage(passage, deps)),
  );
  const commits = rankCommits(deps.index, query, { limit: MAX_COMMITS }).map(({ commit }) =>
    formatCommitMessage(commit, deps),
  );
  const sections = [
    exact ? `Exact result from the history:\n${exact}` : '',
    ...issueSections(deps),
    ...interleave(passages, commits),
  ];
  return fitSections(sections, MAX_LENGTH);
}

async function formatPassage(passage: number, { index, sources }: ToolContext): Promise<string> {
  const { code, revision } = index;
  if (!code) return '';
  const file = code.passageFiles(passage)[0]!;
  const path = code.filePath(file);
  const { start, end } = code.passageLines(passage);
  const last = Math.min(end, code.fileLines(file), start + MAX_LINES - 1);
  const own = code
    .passageText(passage)
    ?.split('\n')
    .slice(0, last - start + 1);
  const lines = own ?? (await sources.lines(path))?.slice(start - 1, last) ?? [];
  if (lines.length === 0) return '';
  const numbered = lines.map((line, i) => `${start + i}\t${line.slice(0, 300)}`);
  return `${citeLines({ path, from: start, to: last, commit: revision }, index.commits)}\n${numbered.join('\n')}`;
}

function formatCommitMessage(commit: number, { index }: ToolContext): string {
  const { commits } = index;
  const paths = Array.from(commits.paths(commit).slice(0, 10), (path) => commits.path(path)).join(', ');
  const day = isoTime(commits.time(commit)).slice(0, 10);
  const message = commits.message(commit).trim().slice(0, MAX_MESSAGE);
  return `${citeCommit(commits.oid(commit), commits)} ${commits.author(commit)}, ${day}; files: ${paths}\n${message}`;
}

/** Interleaves both lists, so that a small budget truncates both. */
function interleave(passages: string[], commits: string[]): string[] {
  const turns = Math.max(passages.length, commits.length);
  return Array.from({ length: turns }, (_, turn) => [passages[turn] ?? '', commits[turn] ?? '']).flat();
}
