import { AppError } from '#contract/errors.ts';
import { assertOid, gitStream } from './run.ts';

/** What a commit did to one path. Paths that are not UTF-8 carry replacement characters. */
export interface Change {
  /** Added, modified, deleted, renamed, copied, type changed. */
  status: 'A' | 'M' | 'D' | 'R' | 'C' | 'T';
  path: string;
  /** The earlier name of a rename or copy. */
  oldPath: string | null;
  oldBlob: string | null;
  newBlob: string | null;
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
  message: string;
  changes: Change[];
}

/** Field → git's placeholder: both the format and its reader. The message comes last, for it ends the record. */
const FORMAT = {
  oid: '%H',
  parents: '%P',
  author: '%an',
  email: '%ae',
  time: '%at',
  committed: '%ct',
  message: '%B',
};
const FIELDS = Object.keys(FORMAT) as (keyof typeof FORMAT)[];
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
  `--format=tformat:${Object.values(FORMAT).join('%x00')}`,
];

interface LogOptions {
  from: string | readonly string[];
  not?: string[];
  signal?: AbortSignal;
  timeoutMs?: number;
}

/**
 * Commits that `from` (one or several) reaches and none of `not` does, newest first and no parent before its
 * child. All are full hashes.
 *
 * Likeness of contents decides what was renamed, and git gives up where one is missing, as in a clone that was cut
 * off. The commits from there on are then read with renames of equal contents only, which needs no content: one
 * commit at first, twice as many each time that another content is missing.
 */
export async function* log(repo: string, options: LogOptions): AsyncGenerator<LogCommit, void, undefined> {
  let read = 0;
  for (let exact = 1; ; exact *= 2) {
    try {
      for await (const commit of readLog(repo, options, ['-M', `--skip=${read}`])) {
        read++;
        yield commit;
      }
      return;
    } catch (error) {
      if (!isDamaged(error)) throw error;
    }
    for await (const commit of readLog(repo, options, ['-M100%', `--skip=${read}`, `-n${exact}`])) {
      read++;
      yield commit;
    }
  }
}

const isDamaged = (error: unknown) => error instanceof AppError && error.reason === 'corrupt';

async function* readLog(repo: string, options: LogOptions, more: string[]): AsyncGenerator<LogCommit> {
  const { from, not = [], signal, timeoutMs = 3_600_000 } = options;
  const revisions = [...[from].flat().map(assertOid), ...not.map((oid) => `^${assertOid(oid)}`)];
  const reader = new LogReader();
  try {
    const output = gitStream(repo, [...ARGS, ...more], {
      name: 'log',
      revisions,
      paths: [],
      timeoutMs,
      signal,
    });
    for await (const chunk of output) yield* reader.push(chunk);
  } catch (error) {
    // What was printed before git gave up is whole: it dies while it compares, before it prints a commit.
    if (!isDamaged(error)) throw error;
    yield* reader.end();
    throw error;
  }
  yield* reader.end();
}

/**
 * The output is a row of parts, each ended by NUL:
 *
 *   commit  = oid parents author email time committed message change*
 *   change  = [LF] ":" oldmode SP newmode SP oldblob SP newblob SP status path [newpath]
 *
 * LF stands before a commit's first change only; `newpath` follows the status letters R and C. A part behind a
 * commit that begins neither with `:` nor with LF `:` is the next commit's hash.
 */
class LogReader {
  #rest: Buffer = Buffer.alloc(0);
  #fields: string[] = [];
  #commit: LogCommit | null = null;
  #change: Change | null = null;

  *push(chunk: Buffer): Generator<LogCommit, void, undefined> {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const last = bytes.lastIndexOf(0);
    if (last === -1) {
      this.#rest = bytes;
      return;
    }
    // Decoding many parts at once is several times faster than each alone, and NUL never lies inside a character.
    const parts = bytes.toString('utf8', 0, last).split('\0');
    this.#rest = bytes.subarray(last + 1);
    for (const part of parts) {
      const finished = this.#take(part);
      if (finished !== null) {
        yield finished;
      }
    }
  }

  *end(): Generator<LogCommit, void, undefined> {
    if (this.#commit !== null) {
      yield this.#commit;
    }
  }

  /** Takes the next part; returns the commit before it when this part begins another. */
  #take(part: string): LogCommit | null {
    if (this.#change !== null) {
      this.#takePath(this.#change, part);
      return null;
    }
    if (this.#commit !== null && part !== '') {
      const colon = part.startsWith('\n') ? 1 : 0;
      if (part[colon] === ':') {
        this.#change = readChange(part.slice(colon + 1));
        return null;
      }
    }
    const finished = this.#commit;
    this.#commit = null;
    this.#fields.push(part);
    if (this.#fields.length === FIELDS.length) {
      this.#commit = readCommit(this.#fields);
      this.#fields = [];
    }
    return finished;
  }

  #takePath(change: Change, path: string): void {
    const isTwoPaths = change.status === 'R' || change.status === 'C';
    if (isTwoPaths && change.oldPath === null) {
      change.oldPath = path;
      return;
    }
    change.path = path;
    this.#commit!.changes.push(change);
    this.#change = null;
  }
}

function readCommit(fields: string[]): LogCommit {
  const field = (name: keyof typeof FORMAT) => fields[FIELDS.indexOf(name)]!;
  const parents = field('parents');
  return {
    oid: field('oid'),
    parents: parents === '' ? [] : parents.split(' '),
    author: field('author'),
    email: field('email'),
    time: readTime(field('time')),
    committed: readTime(field('committed')),
    message: field('message'),
    changes: [],
  };
}

/** Beyond this many seconds a JavaScript date is invalid: year 275760. */
const LAST_SECOND = 8.64e12;

function readTime(text: string): number {
  const seconds = text === '' ? Number.NaN : Number(text);
  return Math.abs(seconds) <= LAST_SECOND ? seconds : Number.NaN;
}

function readChange(text: string): Change {
  const [, , oldBlob = '', newBlob = '', status = ''] = text.split(' ');
  return {
    status: status[0] as Change['status'],
    path: '',
    oldPath: null,
    oldBlob: blobOrNull(oldBlob),
    newBlob: blobOrNull(newBlob),
  };
}

function blobOrNull(oid: string): string | null {
  return /^0+$/.test(oid) ? null : oid;
}
