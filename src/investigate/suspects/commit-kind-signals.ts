import { findRevert } from '#evolution/fix-outcomes.ts';
import { isFixCommit, revertedCommits } from '#evolution/fixes.ts';
import type { SuspectSignal } from './suspect-signal.ts';

/** 1 for merge commits, whose changes are in their parents. */
const merge: SuspectSignal = ({ index, commits }) => {
  return commits.map((commit) => Number(index.commits.parents(commit).length > 1));
};

/** 1 for fixes, which repair more than they break. */
const fix: SuspectSignal = ({ index, commits }) => {
  return commits.map((commit) => Number(isFixCommit(index, commit)));
};

/** 1 for reverts. */
const revert: SuspectSignal = ({ index, commits }) => {
  return commits.map((commit) => Number(revertedCommits(index.commits.message(commit)).length > 0));
};

/** 1 for reverted commits, which no longer affect the code. */
const reverted: SuspectSignal = ({ index, commits }) => {
  return commits.map((commit) => Number(findRevert(index, commit) >= 0));
};

/** Manifests and lock files of package managers, and build settings. */
const DEPENDENCY_FILE =
  /(?:^|\/)(?:package(?:-lock)?\.json|yarn\.lock|pnpm-lock\.yaml|requirements[^/]*\.txt|setup\.(?:py|cfg)|pyproject\.toml|go\.(?:mod|sum)|Cargo\.(?:toml|lock)|pom\.xml|[^/]*\.gradle(?:\.kts)?|Makefile|configure\.ac|CMakeLists\.txt)$/;
const MAX_PATHS = 300;

/** 1 where dependencies or build settings changed. */
const dependencyChange: SuspectSignal = ({ index, commits }) => {
  return commits.map((commit) => {
    const paths = index.commits.paths(commit).slice(0, MAX_PATHS);
    return Number(paths.some((path) => DEPENDENCY_FILE.test(index.commits.path(path))));
  });
};

/** Length of the message on a logarithmic scale, 1 at 4,000 characters: larger changes need more explanation. */
const messageLength: SuspectSignal = ({ index, commits }) => {
  return commits.map((commit) =>
    Math.min(1, Math.log1p(index.commits.message(commit).length) / Math.log1p(4_000)),
  );
};

export const commitKindSignals = { merge, fix, revert, reverted, dependencyChange, messageLength };
