import { AppError } from '#contract/errors.ts';
import { FIELDS, FORMAT, LogReader } from './log-reader.ts';
import { hasCommit } from './refs.ts';
import { assertOid, gitStream } from './run.ts';

/** Change of one path in a commit. Paths that are not UTF-8 contain replacement characters. */
export interface PathChange {
  /** Added, modified, deleted, renamed, copied, type changed. */
  status: 'A' | 'M' | 'D' | 'R' | 'C' | 'T';
  path: string;
  /** The earlier name of a rename or copy. */
  oldPath: string | null;
}

/** A commit with the changes against its only parent; merges have none. */
export interface LogCommit {
  oid: string;
  parents: string[];
  author: string;
  email: string;
  /** Author time in seconds since 1970; NaN when the commit's date is broken. */
  time: number;
  /** Committer time, likewise. */
  committed: number;
  /** At most `MAX_MESSAGE` characters. */
  message: string;
  /** Without paths that are too long (`paths.ts`) and those beyond `maxChanges`. */
  changes: PathChange[];
  /** Total of changes. */
  changeCount: number;
}

const ARGS = [
  'log',
  '-z',
  '--raw',
  '--no-abbrev',
  '--root',
  '--date-order',
  '--no-show-signature',
  '--no-ext-diff',
  '--no-textconv',
  '--no-mailmap',
  '--no-color',
  '--encoding=UTF-8',
  `--format=tformat:${FIELDS.map((field) => FORMAT[field]).join('%x00')}`,
];

interface LogOptions {
  from: string | readonly string[];
  not?: string[];
  signal?: AbortSignal;
  timeoutMs?: number;
  /** Changes that are kept of one commit; `MAX_CHANGES` when absent. */
  maxChanges?: number;
  /** Bytes of git's output, after which the log ends with the commit that was being read. No limit when absent. */
  maxBytes?: number;
  /** Milliseconds that git may take to find the renames of one commit; half a minute when absent. */
  renameMs?: number;
  /** False: a rename is a deletion and an addition. */
  findRenames?: boolean;
}

/** Looking for renames takes minutes where a hundred thousand equal files come and go. */
const RENAME_TIMEOUT_MS = 30_000;
/** Without looking for renames git may take so many times longer: nothing is left to be tried then. */
const LAST_TRY_FACTOR = 3;
/** Milliseconds until the first commit: in a long history git sorts all of them before it prints one. */
const START_TIMEOUT_MS = 120_000;

/**
 * Commits that `from` (one or several) reaches and none of `not` does, newest first and no parent before its
 * child. All are full hashes.
 *
 * Likeness of contents decides what was renamed, and git gives up where one is missing, as in a clone that was cut
 * off. The commits from there on are then read with renames of equal contents only, which needs no content: one
 * commit at first, twice as many each time that another content is missing. Where looking for renames takes too long,
 * they are read without.
 */
export async function* log(repo: string, options: LogOptions): AsyncGenerator<LogCommit, void, undefined> {
  if (options.findRenames === false) return yield* readLog(repo, options, ['--no-renames']);
  let read = 0;
  let renames = '-M100%';
  for (let exact = 1; ; exact *= 2) {
    try {
      for await (const commit of readLog(repo, options, ['-M', `--skip=${read}`])) {
        read++;
        yield commit;
      }
      return;
    } catch (error) {
      if (!isDamaged(error) && !isSlow(error)) throw error;
      renames = isSlow(error) ? '--no-renames' : '-M100%';
    }
    for await (const commit of readLog(repo, options, [renames, `--skip=${read}`, `-n${exact}`])) {
      read++;
      yield commit;
    }
  }
}

/** Reads one commit, by its full hash; null where the repository lacks it. */
export async function readLogCommit(
  repo: string,
  oid: string,
  signal?: AbortSignal,
): Promise<LogCommit | null> {
  if (!(await hasCommit(repo, oid))) return null;
  for await (const commit of log(repo, { from: oid, findRenames: false, ...(signal && { signal }) }))
    return commit;
  return null;
}

const isDamaged = (error: unknown) => error instanceof AppError && error.reason === 'corrupt';

const isSlow = (error: unknown) => error instanceof AppError && error.reason === 'stalled';

async function* readLog(repo: string, options: LogOptions, more: string[]): AsyncGenerator<LogCommit> {
  const { from, not = [], signal, timeoutMs = 3_600_000, maxBytes = Number.POSITIVE_INFINITY } = options;
  const revisions = [...[from].flat().map(assertOid), ...not.map((oid) => `^${assertOid(oid)}`)];
  const reader = new LogReader(options.maxChanges);
  const stallMs = (options.renameMs ?? RENAME_TIMEOUT_MS) * (more.includes('-M') ? 1 : LAST_TRY_FACTOR);
  try {
    const output = gitStream(repo, [...ARGS, ...more], {
      name: 'log',
      revisions,
      paths: [],
      timeoutMs,
      stallMs,
      startMs: options.renameMs === undefined && more.includes('--skip=0') ? START_TIMEOUT_MS : stallMs,
      signal,
    });
    let bytes = 0;
    for await (const chunk of output) {
      yield* reader.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBytes) break;
    }
  } catch (error) {
    // What was printed before git gave up is whole: it dies while it compares, before it prints a commit.
    if (!isDamaged(error) && !isSlow(error)) throw error;
    yield* reader.end();
    throw error;
  }
  yield* reader.end();
}
