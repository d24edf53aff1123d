import type { FileDiff, Hunk } from '#contract/projects.ts';
import { blame } from '#git/blame.ts';
import { showCommit } from '#git/diff.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { isSource, type PastFix } from './select-fixes.ts';

/** Ground truth from a fix: the location of its fault, and the commits blamed for the deleted lines. */
interface GroundTruth {
  /** Paths before the fix. */
  files: string[];
  /** `path` and name of every function that the fix changed. */
  functions: { path: string; symbol: string }[];
  /** Full hashes. */
  causes: string[];
}

/** Limits of blame, sufficient for nearly all fixes. */
const MAX_BLAMED_FILES = 5;
const MAX_BLAMED_RANGES = 5;
/** Excludes lines of punctuation only, which cause no fault. */
const HAS_TEXT = /[\p{L}\p{N}]/u;

/** Extracts the ground truth from a fix's diff and the index of its parent. */
export async function extractGroundTruth(
  fix: PastFix,
  { repo, index, signal }: { repo: string; index: RepositoryIndex; signal?: AbortSignal },
): Promise<GroundTruth> {
  const diffs = await showCommit(repo, fix.oid, { context: 0, signal });
  const changed = diffs.filter((diff) => diff.old_path !== null && isSource(diff.old_path));
  const causes = await Promise.all(
    changed.slice(0, MAX_BLAMED_FILES).map((diff) => blameDeletedLines(diff, fix.parent, repo, signal)),
  );
  return {
    files: changed.map((diff) => diff.old_path!),
    functions: changed.flatMap((diff) => changedFunctions(diff, index)),
    causes: [...new Set(causes.flat())],
  };
}

/** Old lines replaced by a hunk without context; for a pure addition, the adjacent lines. */
function oldLines({ old_start, old_lines }: Hunk): [from: number, to: number] {
  return old_lines === 0 ? [old_start, old_start + 1] : [old_start, old_start + old_lines - 1];
}

/** The innermost named passages that the diff touches. */
function changedFunctions(
  { old_path, hunks }: FileDiff,
  { code }: RepositoryIndex,
): GroundTruth['functions'] {
  const file = code?.fileNumber(old_path!) ?? -1;
  if (!code || file < 0) return [];
  const { first, count } = code.filePassages(file);
  const found = new Set<string>();
  for (const hunk of hunks) {
    const [from, to] = oldLines(hunk);
    for (let passage = first; passage < first + count; passage++) {
      const { start, end } = code.passageLines(passage);
      const symbol = code.passageSymbol(passage);
      if (symbol !== null && start <= to && end >= from) found.add(symbol);
    }
  }
  return [...found].map((symbol) => ({ path: old_path!, symbol }));
}

/** Commits blamed for the lines that a fix deletes (SZZ, Śliwerski et al. 2005), ignoring whitespace. */
async function blameDeletedLines(
  diff: FileDiff,
  parent: string,
  repo: string,
  signal?: AbortSignal,
): Promise<string[]> {
  const ranges = diff.hunks.filter((hunk) =>
    hunk.lines.some(({ kind, text }) => kind === 'delete' && HAS_TEXT.test(text)),
  );
  const lists = await Promise.all(
    ranges.slice(0, MAX_BLAMED_RANGES).map((hunk) => {
      const [from, to] = oldLines(hunk);
      return blame(repo, { commit: parent, path: diff.old_path!, from, to, ignoreWhitespace: true, signal });
    }),
  );
  return lists.flat().map(({ oid }) => oid);
}
