import { rankFiles } from '#search/files.ts';
import { parseQuery } from '#search/query.ts';
import { rankCommits } from '#search/rank.ts';
import { citeCommit, citeLines } from '../citations.ts';
import { isoTime } from '../commit-ref.ts';
import type { ToolContext } from '../tools/tool.ts';
import type { Question } from './question.ts';

/** Characters of the repository that a model is shown at most. */
const MAX_CHARACTERS = 24_000;
const MAX_FILES = 8;
const MAX_PASSAGES_PER_FILE = 2;
const MAX_COMMITS = 8;
const MAX_LINES = 80;
const MAX_MESSAGE = 800;

/** What the repository has to say to a question, as text for a model: what is exact, then passages, then commits. */
export async function collectContext(
  question: Question,
  exact: string | null,
  deps: ToolContext,
): Promise<string> {
  const query = parseQuery(question.text);
  const named = question.targets.flatMap((target) =>
    target.kind === 'symbol' ? target.passages.slice(0, 2) : [],
  );
  const ranked = rankFiles(deps.memory, query, { limit: MAX_FILES, meaning: deps.meaning }).flatMap(
    ({ passages: best }) => best.slice(0, MAX_PASSAGES_PER_FILE).map(({ passage }) => passage),
  );
  const passages = await Promise.all(
    [...new Set([...named, ...ranked])].map((passage) => formatPassage(passage, deps)),
  );
  const commits = rankCommits(deps.memory, query, { limit: MAX_COMMITS }).map(({ commit }) =>
    formatCommitMessage(commit, deps),
  );
  const sections = [exact ? `Found in the history, exact:\n${exact}` : '', ...interleave(passages, commits)];
  return fitSections(sections.filter((section) => section !== ''));
}

async function formatPassage(passage: number, { memory, sources }: ToolContext): Promise<string> {
  const { code, revision } = memory;
  if (!code) return '';
  const file = code.passageFiles(passage)[0]!;
  const path = code.filePath(file);
  const { start, end } = code.passageLines(passage);
  const last = Math.min(end, code.fileLines(file), start + MAX_LINES - 1);
  const lines = (await sources.lines(path))?.slice(start - 1, last) ?? [];
  if (lines.length === 0) return '';
  const numbered = lines.map((line, index) => `${start + index}\t${line.slice(0, 300)}`);
  return `${citeLines(path, start, last, revision)}\n${numbered.join('\n')}`;
}

function formatCommitMessage(commit: number, { memory }: ToolContext): string {
  const { commits } = memory;
  const paths = Array.from(commits.paths(commit).slice(0, 10), (path) => commits.path(path)).join(', ');
  const day = isoTime(commits.time(commit)).slice(0, 10);
  const message = commits.message(commit).trim().slice(0, MAX_MESSAGE);
  return `${citeCommit(commits.oid(commit))} ${commits.author(commit)}, ${day}; files: ${paths}\n${message}`;
}

/** By turns, so that a budget that ends early has cut from both. */
function interleave(passages: string[], commits: string[]): string[] {
  const turns = Math.max(passages.length, commits.length);
  return Array.from({ length: turns }, (_, turn) => [passages[turn] ?? '', commits[turn] ?? '']).flat();
}

/** As many whole sections as fit. */
function fitSections(sections: string[]): string {
  const kept: string[] = [];
  let left = MAX_CHARACTERS;
  for (const section of sections) {
    if (section.length > left) continue;
    kept.push(section);
    left -= section.length + 2;
  }
  return kept.join('\n\n');
}
