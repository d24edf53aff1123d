import type { SkipReason } from '#contract/projects.ts';
import { type GrepMatch, type GrepOptions, type GrepPattern, grep } from '#git/grep.ts';
import { memoizeByIdentity } from '../memoize-by-identity.ts';
import type { CodeTable, RepositoryIndex } from '../repository-index.ts';
import { parseRegex } from './trigrams/regex-parser.ts';
import { literalQuery, regexQuery } from './trigrams/trigram-query.ts';

/** With more paths, git takes longer to compare names than to read the other files. */
const MAX_PATHS = 1000;
/** Skipped files that git would not search either, or that the settings exclude. */
const UNSEARCHED_REASONS = new Set<SkipReason>([
  'binary',
  'submodule',
  'symlink',
  'invalid_path',
  'path_too_long',
  'excluded',
]);

/**
 * Runs `grep` at the revision of an index in a fraction of its time: only on files that may match, and on skipped ones.
 * The time limits are those of `grep`: the expression is matched by git, never here.
 */
export async function grepIndex(
  repo: string,
  index: RepositoryIndex,
  pattern: GrepPattern,
  options: Omit<GrepOptions, 'paths'>,
): Promise<GrepMatch[]> {
  const paths = index.code && candidatePaths(index.code, pattern);
  return await grep(repo, index.revision, pattern, paths ? { ...options, paths } : options);
}

const parseUtf8Regex = (text: string) => regexQuery(parseRegex(Buffer.from(text).toString('latin1')));

function candidatePaths(code: CodeTable, pattern: GrepPattern): string[] | null {
  // A line feed separates patterns.
  const lines = ('fixed' in pattern ? pattern.fixed : [pattern.regex]).flatMap((text) => text.split('\n'));
  const queries =
    'fixed' in pattern ? [literalQuery(lines.filter(Boolean))] : lines.filter(Boolean).map(parseUtf8Regex);
  if (queries.length === 0) return [];
  const files = code.candidateFiles(queries.length === 1 ? queries[0]! : { kind: 'or', parts: queries });
  if (files === null || files.length > MAX_PATHS) return null;
  const paths = [...files.map((file) => code.filePath(file)), ...skippedTextPaths(code)];
  return paths.length > MAX_PATHS ? null : paths;
}

/** Paths of the text files that are not indexed. */
export const skippedTextPaths = memoizeByIdentity((code: CodeTable): readonly string[] => {
  const skipped = Array.from({ length: code.skippedCount }, (_, i) => code.skipped(i));
  return skipped.filter(({ reason }) => !UNSEARCHED_REASONS.has(reason)).map(({ path }) => path);
});
