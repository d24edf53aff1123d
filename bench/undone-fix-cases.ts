import { isReadableCode } from '../src/evolution/code-paths.ts';
import { isFix, revertedCommits } from '../src/evolution/fixes.ts';
import { MAX_FIX_AGE_S } from '../src/evolution/removed-lines.ts';
import type { LogCommit } from '../src/git/log.ts';
import { gitStream } from '../src/git/run.ts';

/** A commit that is known to have undone a fix. */
export interface KnownUndone {
  commit: LogCommit;
  fix: string;
}

const REVERT_SUBJECT = /^Revert "(.{4,200})"/;
/** Messages of commits that bring a fix back. */
const AGAIN =
  /\b(?:again|re-?(?:fix|add|apply|appl|instat|stor|introduc)(?:e|es|ed|ied|ing|d|s)?|br(?:ing|ought|ings) back|regression|accidental(?:ly)?|(?:got|was|were) (?:lost|removed|reverted|dropped))\b/i;

const subjectOf = ({ message }: LogCommit) => message.split('\n')[0]!;

/** Reverts of fixes, by hash or subject, newest first. */
export function findReverted(history: readonly LogCommit[]): KnownUndone[] {
  const byOid = new Map(history.map((commit) => [commit.oid, commit]));
  const bySubject = Map.groupBy(history, subjectOf);
  return history.flatMap((commit) => {
    const hash = revertedCommits(commit.message)[0] ?? '';
    const subject = REVERT_SUBJECT.exec(subjectOf(commit))?.[1] ?? '';
    const fix = byOid.get(hash) ?? bySubject.get(subject)?.find((one) => one.time <= commit.time);
    return fix && isSourceFix(fix) && isRecent(fix, commit) ? [{ commit, fix: fix.oid }] : [];
  });
}

/** Commits that removed lines of a fix which a later commit, by its message, brought back; newest first. */
export async function findRefixed(
  repo: string,
  head: string,
  history: readonly LogCommit[],
): Promise<KnownUndone[]> {
  const byOid = new Map(history.map((commit) => [commit.oid, commit]));
  // Line to its newest addition, and its newest removal with the addition before it.
  const added = new Map<string, string>();
  const lost = new Map<string, { by: string; from: string }>();
  const found = new Map<string, KnownUndone>();
  for await (const { oid, add, remove } of readLines(repo, head)) {
    const commit = byOid.get(oid);
    if (commit && AGAIN.test(commit.message) && !/^Revert "/.test(commit.message)) {
      const pairs = new Map<string, number>();
      for (const key of add) {
        const loss = lost.get(key);
        if (loss) pairs.set(`${loss.from} ${loss.by}`, (pairs.get(`${loss.from} ${loss.by}`) ?? 0) + 1);
      }
      for (const [pair, count] of pairs) {
        const [from, by] = pair.split(' ').map((hash) => byOid.get(hash));
        if (!from || !by || (count < 2 && 2 * count < add.size)) continue;
        if (isSourceFix(from) && isRecent(from, by) && !/^Revert "/.test(by.message)) {
          found.set(pair, { commit: by, fix: from.oid });
        }
      }
    }
    for (const key of remove) {
      const from = added.get(key);
      if (from && !add.has(key)) lost.set(key, { by: oid, from });
    }
    for (const key of add) {
      if (remove.has(key)) continue;
      added.set(key, oid);
      lost.delete(key);
    }
  }
  return [...found.values()].toReversed();
}

function isSourceFix({ message, changes }: LogCommit): boolean {
  return isFix(
    message,
    changes.map(({ path }) => path),
  );
}

function isRecent(fix: LogCommit, commit: LogCommit): boolean {
  return commit.time - fix.time <= MAX_FIX_AGE_S && commit.oid !== fix.oid;
}

/** Added and removed lines of code of each commit without merges, oldest first. */
async function* readLines(repo: string, head: string) {
  const args = [
    'log',
    '-p',
    '-U0',
    '-w',
    '--no-merges',
    '--no-renames',
    '--reverse',
    '--format=commit %H',
    '--no-ext-diff',
    '--no-color',
  ];
  let commit = { oid: '', add: new Set<string>(), remove: new Set<string>() };
  let path: string | null = null;
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of gitStream(repo, args, { name: 'log', revisions: [head], timeoutMs: 600_000 })) {
    const rows = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = rows.pop()!;
    for (const row of rows) {
      if (/^commit [0-9a-f]{40}$/.test(row)) {
        if (commit.oid) yield commit;
        commit = { oid: row.slice(7), add: new Set(), remove: new Set() };
      } else if (row.startsWith('diff --git ')) {
        const name = /^diff --git a\/.* b\/(.*)$/.exec(row)?.[1];
        path = name && isReadableCode(name) ? name : null;
      } else if (path !== null && /^[+-](?![+-]{2} )/.test(row)) {
        const text = row.slice(1).trim();
        if (text.length < 12 || /^(?:\/\/|\*|#|import\b|from\b)/.test(text)) continue;
        (row[0] === '+' ? commit.add : commit.remove).add(`${path}\0${text}`);
      }
    }
  }
  if (commit.oid) yield commit;
}
