import { isNonSource } from '#evolution/fixes.ts';
import { blame } from '#git/blame.ts';
import { findPrintedFile, openRepositoryFiles } from '../commands/repository-files.ts';
import type { ExecutedLines } from './read-lines.ts';

/** Files that are blamed, those with the most executed lines first, and the time for all of them. */
const MAX_FILES = 60;
const TIMEOUT_MS = 30_000;
const LAST_LINE = 1_000_000;

interface CountOptions {
  /** Full hash of the revision whose lines were executed. */
  commit: string;
  signal: AbortSignal;
}

/**
 * Counts executed lines of sources by the full hash of the commit that wrote them; tests are left out. Files that are not blamed in
 * time do not count.
 */
export async function countExecutedLines(
  repo: string,
  executed: ExecutedLines,
  { commit, signal }: CountOptions,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const known = await openRepositoryFiles(repo, commit);
  const files = [...executed]
    .flatMap(([recorded, lines]) => {
      // Go names packages by their import path, whose end is that of the file.
      const path = findPrintedFile(recorded, known);
      return path === null || isNonSource(path) || lines.size === 0 ? [] : [{ path, lines }];
    })
    .sort((a, b) => b.lines.size - a.lines.size)
    .slice(0, MAX_FILES);
  const deadline = performance.now() + TIMEOUT_MS;
  for (const { path, lines } of files) {
    const timeoutMs = deadline - performance.now();
    signal.throwIfAborted();
    if (timeoutMs < 100) break;
    const blamed = await blame(repo, { commit, path, from: 1, to: LAST_LINE, timeoutMs, signal }).catch(
      () => [],
    );
    for (const { line, oid } of blamed) if (lines.has(line)) counts[oid] = (counts[oid] ?? 0) + 1;
  }
  return counts;
}
