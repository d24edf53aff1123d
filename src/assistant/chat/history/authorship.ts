import { isBot } from '#evolution/authors.ts';
import { commitsTouching, countLinesByCommit } from '../../tools/file-commits.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { readPeople } from './people.ts';

/** Files, or lines of one file, whose authors are counted. */
export interface AuthoredCode {
  /** Paths of the present files. */
  paths: string[];
  /** Lines of the only path; null for the whole. */
  lines: [number, number] | null;
}

/** An author with what is theirs. */
export interface Author {
  name: string;
  lines: number;
  commits: number;
  /** Share of lines and commits, 0 to 1. */
  share: number;
}

/** Authors, most knowledgeable first. */
export interface Authorship {
  authors: Author[];
  bots: string[];
  /** Newest commit that is not counted, since it changed formatting or many files at once. */
  skipped: number | null;
  /** Commit of most of the first author's lines, or their newest one. */
  mainCommit: number | null;
  /** Commits, newest first, without merges. */
  commits: number[];
}

/** Longer code is sampled by chunks. */
const MAX_BLAMED_LINES = 320;
const CHUNK = 80;
const MAX_BLAMED_FILES = 2;
const LINE_SHARE = 0.6;
const SWEEPING_PATHS = 150;
const FORMATTING =
  /\b(?:black|prettier|gofmt|gofumpt|rustfmt|clang-format|pyupgrade|isort|autopep8|yapf|spotless|standardrb|rubocop|php-?cs-?fixer|reformat(?:ted|ting)?|formatting|code ?style|coding standards?|whitespaces?|indent(?:ation|ing)?|license headers?|copyright (?:year|header)s?|file headers?|line endings?|crlf|trailing spaces)\b/i;

/** Counts the authors of code by its lines and commits. */
export async function measureAuthorship(code: AuthoredCode, context: ToolContext): Promise<Authorship> {
  const { index } = context;
  const people = await readPeople(context);
  const isMerge = (commit: number) => index.commits.parents(commit).length > 1;
  const lineCounts = await countLines(code, context);
  const touching = code.lines
    ? [...lineCounts.keys()].sort((a, b) => a - b)
    : [...new Set(code.paths.flatMap((path) => commitsTouching(path, context)))].sort((a, b) => a - b);
  const commits = touching.filter((commit) => !isMerge(commit));
  const first = commits.at(-1);
  const skipped = commits.filter((commit) => commit !== first && isMechanical(commit, context));
  const authors = new Map<string, Author>();
  const add = (commit: number, unit: 'lines' | 'commits', count: number) => {
    if (skipped.includes(commit)) return;
    const name = people.authorOf(commit);
    const author = authors.get(name) ?? { name, lines: 0, commits: 0, share: 0 };
    authors.set(name, author);
    author[unit] += count;
  };
  for (const commit of commits) add(commit, 'commits', 1);
  for (const [commit, count] of lineCounts) add(commit, 'lines', count);
  const all = [...authors.values()];
  const total = (unit: 'lines' | 'commits') => all.reduce((sum, author) => sum + author[unit], 0) || 1;
  for (const author of all) {
    const [lines, commitShare] = [author.lines / total('lines'), author.commits / total('commits')];
    author.share = lineCounts.size === 0 ? commitShare : LINE_SHARE * lines + (1 - LINE_SHARE) * commitShare;
  }
  const ranked = all.filter(({ name }) => !isBot(name)).sort((a, b) => b.share - a.share);
  const own = commits.filter(
    (commit) => people.authorOf(commit) === ranked[0]?.name && !skipped.includes(commit),
  );
  const byLines = own.toSorted((a, b) => (lineCounts.get(b) ?? 0) - (lineCounts.get(a) ?? 0));
  return {
    authors: ranked,
    bots: all.filter(({ name }) => isBot(name)).map(({ name }) => name),
    skipped: skipped[0] ?? null,
    mainCommit: byLines[0] ?? null,
    commits,
  };
}

/** True for commits that change the formatting or many files at once, by subject and size. */
function isMechanical(commit: number, { index: { commits } }: Pick<ToolContext, 'index'>): boolean {
  const size = commits.paths(commit).length + commits.omittedChanges(commit);
  return size > SWEEPING_PATHS || FORMATTING.test(commits.subject(commit));
}

/** Number of present lines by the commit that wrote them. */
async function countLines(
  { paths, lines }: AuthoredCode,
  context: ToolContext,
): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  for (const path of paths.slice(0, MAX_BLAMED_FILES)) {
    const total = (await context.sources.lines(path))?.length ?? 0;
    if (total === 0) continue;
    const [from, to] = lines ?? [1, total];
    const counted = await countLinesByCommit(path, sampleLines(from, Math.min(to, total)), context);
    for (const [commit, count] of counted) counts.set(commit, (counts.get(commit) ?? 0) + count);
  }
  return counts;
}

/** The lines themselves, or chunks at equal distances of many. */
function sampleLines(from: number, to: number): [number, number][] {
  const count = to - from + 1;
  if (count <= MAX_BLAMED_LINES) return [[from, to]];
  const chunks = MAX_BLAMED_LINES / CHUNK;
  const step = (count - CHUNK) / (chunks - 1);
  return Array.from({ length: chunks }, (_, i) => {
    const first = from + Math.round(i * step);
    return [first, first + CHUNK - 1];
  });
}
