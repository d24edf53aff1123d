import { createHash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { countBlamedLines } from '#git/blame-counts.ts';
import { type ChangeIndex, openChangeIndexIfUsable } from '#memory/changes/change-index.ts';
import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import type { CodeTable, RepositoryIndex } from '#memory/repository-index.ts';
import { yieldIfDue } from '#scheduling/yield.ts';
import { isCodePath } from './code-paths.ts';

/** Lines by year of their last change. */
type LinesByYear = Record<string, number>;

/** Measurements so far, as JSON on disk; a refresh reuses files whose content is the same. */
export interface CodeAgeSurvey {
  version: 1;
  /** Commit whose files are measured. */
  revision: string;
  files: Record<string, { blob: string; years: LinesByYear }>;
  /** Lines of code that commits added, and the number of commits that were counted; null before. */
  added: { commits: number; years: LinesByYear } | null;
}

/** Files that are measured: more would take minutes of git's time and change the figures little. */
const MAX_SURVEYED_FILES = 1500;
const BLAME_TIMEOUT_MS = 20_000;
/** The survey is saved after so many milliseconds, so that it is seen and another project gets its turn. */
const SLICE_MS = 8_000;

interface SurveyTask {
  repo: string;
  index: RepositoryIndex;
  /** Folder of the change index. */
  hunks: string;
  /** Path of the survey. */
  path: string;
  signal: AbortSignal;
}

/**
 * Measures a slice of what is missing: the age of lines by git's blame, then the lines added by year from the change index.
 * Returns what is left: nothing, another slice, or the change index, which is not complete yet.
 */
export async function surveyCodeAge({
  repo,
  index,
  hunks,
  path,
  signal,
}: SurveyTask): Promise<'nothing' | 'files' | 'changes'> {
  const { code } = index;
  if (code === null) return 'nothing';
  const survey = await openSurvey(path, index);
  const until = performance.now() + SLICE_MS;
  const missing = listSample(code).filter((file) => !survey.files[code.filePath(file)]);
  for (const [i, file] of missing.entries()) {
    if (i > 0 && performance.now() > until) {
      await saveSurvey(path, survey);
      return 'files';
    }
    const name = code.filePath(file);
    const request = { commit: index.revision, path: name, timeoutMs: BLAME_TIMEOUT_MS, signal };
    const counts = await countBlamedLines(repo, request).catch((error: unknown) => {
      if (signal.aborted) throw error;
      // A file that git can't blame in time counts as measured without lines.
      return new Map<string, number>();
    });
    survey.files[name] = { blob: code.fileBlob(file), years: groupByYear(counts, index) };
  }
  const changes = openChangeIndexIfUsable(hunks);
  const isComplete = changes !== null && changes.commits >= changes.total;
  if (isComplete && survey.added?.commits !== changes.commits) {
    survey.added = { commits: changes.commits, years: await countAddedLines(changes, index, signal) };
  }
  await saveSurvey(path, survey);
  return isComplete ? 'nothing' : 'changes';
}

/** Reads a survey; null before the first slice, and when it can't be used. */
export async function readSurvey(path: string): Promise<CodeAgeSurvey | null> {
  try {
    const survey = JSON.parse(await readFile(path, 'utf8')) as CodeAgeSurvey;
    return survey.version === 1 ? survey : null;
  } catch {
    return null;
  }
}

/** Files of code with lines. */
export const listCodeFiles = memoizeByIdentity((code: CodeTable): number[] =>
  Array.from({ length: code.fileCount }, (_, file) => file).filter(
    (file) => code.fileLines(file) > 0 && isCodePath(code.filePath(file)),
  ),
);

/** Files of code in an order by chance that is the same every time, of which the first are measured. */
export const listSample = memoizeByIdentity((code: CodeTable): number[] =>
  listCodeFiles(code)
    .map((file) => ({ file, digest: createHash('sha1').update(code.filePath(file)).digest('hex') }))
    .sort((a, b) => (a.digest < b.digest ? -1 : 1))
    .slice(0, MAX_SURVEYED_FILES)
    .map(({ file }) => file),
);

/** Opens the survey for a revision, without the files that changed since. */
async function openSurvey(path: string, { code, revision }: RepositoryIndex): Promise<CodeAgeSurvey> {
  const previous = await readSurvey(path);
  const files = Object.entries(previous?.files ?? {}).filter(([name, { blob }]) => {
    const file = code!.fileNumber(name);
    return file >= 0 && code!.fileBlob(file) === blob;
  });
  return { version: 1, revision, files: Object.fromEntries(files), added: previous?.added ?? null };
}

async function saveSurvey(path: string, survey: CodeAgeSurvey): Promise<void> {
  await writeFile(`${path}.tmp`, JSON.stringify(survey), { mode: 0o600 });
  await rename(`${path}.tmp`, path);
}

function groupByYear(counts: ReadonlyMap<string, number>, { commits }: RepositoryIndex): LinesByYear {
  const years: LinesByYear = {};
  for (const [oid, lines] of counts) {
    const commit = commits.find(oid);
    if (commit >= 0) addLines(years, commits.time(commit), lines);
  }
  return years;
}

async function countAddedLines(
  changes: ChangeIndex,
  { commits }: RepositoryIndex,
  signal: AbortSignal,
): Promise<LinesByYear> {
  const years: LinesByYear = {};
  for (const block of changes.blocks) {
    for (let number = 0; number < block.commitCount; number++) {
      await yieldIfDue(signal);
      const commit = commits.find(block.oid(number));
      if (commit >= 0)
        addLines(years, commits.time(commit), countAddedCodeLines(block.patches.patch(number)));
    }
  }
  return years;
}

const [AT, PLUS] = ['@'.charCodeAt(0), '+'.charCodeAt(0)];
const FILE_HEADER = 'diff --git ';

/** Counts the lines that a patch of the change index adds to files of code. */
export function countAddedCodeLines(patch: Buffer): number {
  let added = 0;
  let isCounted = false;
  let inHunk = false;
  for (let start = 0, end: number; start < patch.length; start = end + 1) {
    end = patch.indexOf(10, start);
    if (end === -1) end = patch.length;
    const sign = patch[start];
    // Lines of files have a sign first, so that a letter starts a header.
    if (sign === 100 && patch.toString('latin1', start, start + FILE_HEADER.length) === FILE_HEADER) {
      const header = patch.toString('utf8', start, end);
      isCounted = isCodePath(header.slice(header.lastIndexOf(' b/') + 3));
      inHunk = false;
    } else if (sign === AT) inHunk = true;
    else if (inHunk && isCounted && sign === PLUS) added++;
  }
  return added;
}

function addLines(years: LinesByYear, time: number, lines: number): void {
  if (!Number.isFinite(time)) return;
  const year = new Date(time * 1000).getUTCFullYear();
  if (lines > 0) years[year] = (years[year] ?? 0) + lines;
}
