import { findRevert } from '#evolution/fix-outcomes.ts';
import { isFixCommit, revertedCommits } from '#evolution/fixes.ts';
import type { SuspectSignal } from '../suspect-signal.ts';

/** 1 for merges: what they brought is in their parents. */
export const merge: SuspectSignal = ({ memory, commits }) => {
  return commits.map((commit) => Number(memory.commits.parents(commit).length > 1));
};

/** 1 for fixes, which mend more than they break; a fix that went wrong is told by its other signals. */
export const fix: SuspectSignal = ({ memory, commits }) => {
  return commits.map((commit) => Number(isFixCommit(memory, commit)));
};

/** 1 for commits that take another back. */
export const revert: SuspectSignal = ({ memory, commits }) => {
  return commits.map((commit) => Number(revertedCommits(memory.commits.message(commit)).length > 0));
};

/** 1 for commits that were taken back and have no part in the code any more. */
export const reverted: SuspectSignal = ({ memory, commits }) => {
  return commits.map((commit) => Number(findRevert(memory, commit) >= 0));
};

/** Manifests and lock files of the package managers, and settings of builds. */
const DEPENDENCIES =
  /(?:^|\/)(?:package(?:-lock)?\.json|yarn\.lock|pnpm-lock\.yaml|requirements[^/]*\.txt|setup\.(?:py|cfg)|pyproject\.toml|go\.(?:mod|sum)|Cargo\.(?:toml|lock)|pom\.xml|[^/]*\.gradle(?:\.kts)?|Makefile|configure\.ac|CMakeLists\.txt)$/;

/** 1 where dependencies or the build's settings changed. */
export const dependencies: SuspectSignal = ({ memory, commits }) => {
  return commits.map((commit) => {
    const paths = memory.commits.paths(commit).slice(0, 300);
    return Number(paths.some((path) => DEPENDENCIES.test(memory.commits.path(path))));
  });
};

/** Length of the message on a logarithmic scale, 1 at 4,000 characters: what needed many words did much. */
export const told: SuspectSignal = ({ memory, commits }) => {
  return commits.map((commit) =>
    Math.min(1, Math.log1p(memory.commits.message(commit).length) / Math.log1p(4_000)),
  );
};
