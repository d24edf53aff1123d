import type { Sentence } from '#contract/common.ts';
import { isoTime } from '#contract/iso-time.ts';
import { createSentence } from '#contract/sentence.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { LocatedPlace } from '../locate/locate.ts';

/** The commit that introduced the code at the best place. */
export interface IntroducingCommit {
  commit: number;
  path: string;
  /** The oldest line of the place; null when only the file's first commit is known. */
  line: number | null;
  why: Sentence;
}

/** Finds the commit of the oldest blamed line, else the first that touched the file; null without a place. */
export function findIntroducingCommit(
  index: RepositoryIndex,
  place: LocatedPlace | undefined,
  oldest: { oid: string; line: number; path: string } | null,
  now: number,
): IntroducingCommit | null {
  const { commits } = index;
  const blamed = oldest ? commits.find(oldest.oid) : -1;
  if (oldest && blamed >= 0) {
    const why = createSentence('debug.why.introduced', { age: isoTime(commits.time(blamed)) }, now * 1000);
    return { commit: blamed, path: oldest.path, line: oldest.line, why };
  }
  const path = place ? commits.pathNumber(place.path) : -1;
  const first = path < 0 ? undefined : commits.touching(path).at(-1);
  if (!place || first === undefined) return null;
  const why = createSentence(
    'debug.why.introduced_file',
    { path: place.path, age: isoTime(commits.time(first)) },
    now * 1000,
  );
  return { commit: first, path: place.path, line: null, why };
}
