import { type BlameDeps, blameLineRange } from '../history/blame-places.ts';
import type { SourceReader } from '../locate/source-reader.ts';
import type { FoundGuard } from './find-guard.ts';

/** The newest commit that added or changed the lines of a guard; null when blame finds none. */
export async function findGuardCommit(
  { path, start, end }: FoundGuard,
  { sources, ...deps }: BlameDeps & { sources: SourceReader },
): Promise<number | null> {
  const lines = (await sources.lines(path)) ?? undefined;
  const blamed = await blameLineRange({ path, lines, from: start, to: end }, deps);
  if (blamed.length === 0) return null;
  const newest = blamed.reduce((a, b) => (b.time > a.time ? b : a));
  const commit = deps.index.commits.find(newest.oid);
  return commit < 0 ? null : commit;
}
