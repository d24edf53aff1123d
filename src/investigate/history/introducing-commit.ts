import type { Sentence } from '#contract/common.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { LocatedPlace } from '../locate/locate.ts';
import { age, say } from '../sentences.ts';

/** When the code at the best place came to be. */
export interface IntroducingCommit {
  commit: number;
  path: string;
  /** The oldest line of the place; null when only the file's first commit is known. */
  line: number | null;
  why: Sentence;
}

/** The commit of the oldest blamed line, else the first that touched the file; null when there is no place. */
export function findIntroducingCommit(
  memory: RepositoryIndex,
  place: LocatedPlace | undefined,
  oldest: { oid: string; line: number; path: string } | null,
  now: number,
): IntroducingCommit | null {
  const { commits } = memory;
  const blamed = oldest ? commits.find(oldest.oid) : -1;
  if (oldest && blamed >= 0) {
    const why = say('debug.why.birth', { age: age(commits.time(blamed), now) });
    return { commit: blamed, path: oldest.path, line: oldest.line, why };
  }
  const path = place ? commits.pathNumber(place.path) : -1;
  const first = path < 0 ? undefined : commits.touching(path).at(-1);
  if (!place || first === undefined) return null;
  const why = say('debug.why.birth_file', { path: place.path, age: age(commits.time(first), now) });
  return { commit: first, path: place.path, line: null, why };
}
