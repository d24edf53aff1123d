import { assertOid } from '#git/run.ts';
import { quoteShellWord } from './shell-quote.ts';

interface BisectScript {
  /** One line for `sh -c`. */
  command: string;
  /** Runs once in every checkout before the command; null for none. */
  setup?: string | null;
  /** Full hash. */
  good: string;
  /** Full hash. */
  bad: string;
  /** Full hashes of the suspects, likeliest first. */
  suspects: readonly string[];
}

const MAX_SUSPECTS = 3;

/**
 * Writes a shell script that finds the first bad commit on another machine, in a worktree of its own, suspects first, and prints
 * the log to upload. Returns null for a command that is not one line.
 */
export function formatBisectScript({ command, setup, good, bad, suspects }: BisectScript): string | null {
  const test = quoteShellWord(setup ? `( ${setup} ) || exit 125; ${command}` : command);
  if (test === null) return null;
  const ends = [assertOid(bad), assertOid(good)];
  const tried = suspects.slice(0, MAX_SUSPECTS).map(assertOid);
  return `#!/bin/sh
# Run this in a clone of the repository. Your files stay as they are; upload hindsight-bisect.log afterwards.
set -eu
log=$PWD/hindsight-bisect.log
work=$(mktemp -d)
git worktree add --detach --quiet "$work/tree" ${ends[0]}
trap 'cd / && git -C "$work/tree" bisect reset >/dev/null 2>&1; rm -rf "$work"; git -C "\${log%/*}" worktree prune' EXIT
cd "$work/tree"
test_revision() {
  git checkout --quiet --force "$1"
  code=0
  sh -c ${test} || code=$?
  case $code in
    0) git bisect good "$1" ;;
    125|126|127) git bisect skip "$1" ;;
    *) git bisect bad "$1" ;;
  esac
}
found() { git bisect log | grep -q '^# first bad commit: '; }
git bisect start ${ends.join(' ')}
for suspect in ${tried.join(' ')}; do
  found && break
  git merge-base --is-ancestor "$suspect" ${ends[0]} && ! git merge-base --is-ancestor "$suspect" ${ends[1]} || continue
  test_revision "$suspect^"
  found || test_revision "$suspect"
done
found || git bisect run sh -c ${test} || true
git bisect log > "$log"
cat "$log"
`;
}
