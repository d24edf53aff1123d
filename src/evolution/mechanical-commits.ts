import type { RepositoryIndex } from '#memory/repository-index.ts';

/** Subjects of releases and of commits of build artefacts: `build v4.3.0 [skip ci]`, `Release 2.1.0`, `1.4.2`, `bump version`. */
const RELEASE =
  /^v?\d+\.\d+(?:\.\d+)?(?:[-.+]\w+)*$|\[skip ci\]|(?:^|[\s:])(?:build|release|bump|publish|prepare|tag)\b.{0,40}\bv?\d+\.\d+|\bbump(?:ed|ing)? (?:the )?version\b|^(?:re)?build dist\b|^update (?:dist|build)\b/i;

/** True for releases and commits of build artefacts, which repeat changes that other commits made. */
export function isReleaseCommit({ commits }: RepositoryIndex, commit: number): boolean {
  return RELEASE.test(commits.subject(commit));
}
