import { readFileAt } from '#git/file-at.ts';
import type { PathMatcher } from '#git/path-patterns.ts';
import { findEntry } from '#git/tree.ts';

/** Files in which projects describe themselves to assistants, in the order in which they are used. */
const GUIDANCE_PATHS = [
  'AGENTS.md',
  'CLAUDE.md',
  'GEMINI.md',
  '.github/copilot-instructions.md',
  '.cursorrules',
];

/** Characters of all files together. */
const MAX_GUIDANCE = 8_000;

/** Lists the guidance files of a commit that are not excluded. */
export async function listGuidanceFiles(
  repo: string,
  commit: string,
  isExcluded: PathMatcher,
): Promise<string[]> {
  const candidates = GUIDANCE_PATHS.filter((path) => !isExcluded(path));
  const entries = await Promise.all(candidates.map((path) => findEntry(repo, commit, path)));
  return candidates.filter((_, at) => entries[at]?.type === 'blob');
}

/** Reads the guidance files of a commit, each under its path, up to a total length. */
export async function readGuidance(repo: string, commit: string, isExcluded: PathMatcher): Promise<string> {
  const paths = await listGuidanceFiles(repo, commit, isExcluded);
  const texts = await Promise.all(paths.map((path) => readFileAt(repo, commit, path)));
  return paths
    .map((path, at) => `${path}:\n${texts[at]?.trim() ?? ''}`)
    .join('\n\n')
    .slice(0, MAX_GUIDANCE);
}
