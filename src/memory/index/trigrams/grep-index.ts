import type { SkipReason } from '#contract/projects.ts';
import { type GrepMatch, type GrepOptions, type GrepPattern, grep } from '#git/grep.ts';
import type { CodeTable, RepositoryIndex } from '../../repository-index.ts';
import { literalQuery, regexQuery } from './trigram-query.ts';

/** With more paths, git spends longer on comparing names than on reading the rest. */
const MAX_PATHS = 1000;
/** Files without trigrams in which git would not look either. */
const UNSEARCHED_REASONS = new Set<SkipReason>(['binary', 'submodule', 'symlink', 'bad_name', 'long_path']);

/**
 * What `grep` finds at the revision of a memory, in a fraction of its time: only in files that may match, and in those
 * that the memory left out. The bounds on time are those of `grep`: the expression is git's to match, never ours.
 */
export async function grepIndex(
  repo: string,
  memory: RepositoryIndex,
  pattern: GrepPattern,
  options: Omit<GrepOptions, 'paths'>,
): Promise<GrepMatch[]> {
  const paths = memory.code && candidatePaths(memory.code, pattern);
  return await grep(repo, memory.revision, pattern, paths ? { ...options, paths } : options);
}

function candidatePaths(code: CodeTable, pattern: GrepPattern): string[] | null {
  // A line feed parts patterns.
  const lines = ('fixed' in pattern ? pattern.fixed : [pattern.regex]).flatMap((text) => text.split('\n'));
  const queries =
    'fixed' in pattern ? [literalQuery(lines.filter(Boolean))] : lines.filter(Boolean).map(regexQuery);
  if (queries.length === 0) return [];
  const found = code.candidateFiles(queries.length === 1 ? queries[0]! : { kind: 'or', parts: queries });
  if (found === null || found.length > MAX_PATHS) return null;
  const paths = found.map((file) => code.filePath(file));
  for (let index = 0; index < code.skippedCount; index++) {
    const { path, reason } = code.skipped(index);
    if (!UNSEARCHED_REASONS.has(reason)) paths.push(path);
    if (paths.length > MAX_PATHS) return null;
  }
  return paths;
}
