import { findRevert } from '#evolution/fix-outcomes.ts';
import { isFixCommit, revertedCommits } from '#evolution/fixes.ts';
import type { SuspectSignal } from '../suspect-signal.ts';

/** 1 for merge commits, whose changes are in their parents. */
const merge: SuspectSignal = ({ memory, commits }) => {
  return commits.map((commit) => Number(memory.commits.parents(commit).length > 1));
};

/** 1 for fixes, which repair more than they break. */
const fix: SuspectSignal = ({ memory, commits }) => {
  return commits.map((commit) => Number(isFixCommit(memory, commit)));
};

/** 1 for reverts. */
const revert: SuspectSignal = ({ memory, commits }) => {
  return commits.map((commit) => Number(revertedCommits(memory.commits.message(commit)).length > 0));
};

/** 1 for reverted commits, which no longer affect the code. */
const reverted: SuspectSignal = ({ memory, commits }) => {
  return commits.map((commit) => Number(findRevert(memory, commit) >= 0));
};

/** Manifests and lock files of package managers, and build settings. */
const DEPENDENCY_FILE =
  /(?:^|\/)(?:package(?:-lock)?\.json|yarn\.lock|pnpm-lock\.yaml|requirements[^/]*\.txt|setup\.(?:py|cfg)|pyproject\.toml|go\.(?:mod|sum)|Cargo\.(?:toml|lock)|pom\.xml|[^/]*\.gradle(?:\.kts)?|Makefile|configure\.ac|CMakeLists\.txt)$/;
const MAX_PATHS = 300;

/** 1 where dependencies or build settings changed. */
const dependencyChange: SuspectSignal = ({ memory, commits }) => {
  return commits.map((commit) => {
    const paths = memory.commits.paths(commit).slice(0, MAX_PATHS);
    return Number(paths.some((path) => DEPENDENCY_FILE.test(memory.commits.path(path))));
  });
};

/** Length of the message on a logarithmic scale, 1 at 4,000 characters: larger changes need more explanation. */
const messageLength: SuspectSignal = ({ memory, commits }) => {
  return commits.map((commit) =>
    Math.min(1, Math.log1p(memory.commits.message(commit).length) / Math.log1p(4_000)),
  );
};

export const commitKindSignals = { merge, fix, revert, reverted, dependencyChange, messageLength };
