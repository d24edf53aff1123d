import type { LogCommit, PathChange } from './log.ts';
import { isIndexablePath } from './paths.ts';

/** Field → git's placeholder: both the format and its reader. The message comes last, for it ends the record. */
export const FORMAT = {
  oid: '%H',
  parents: '%P',
  author: '%an',
  email: '%ae',
  time: '%at',
  committed: '%ct',
  message: '%B',
};
export const FIELDS = Object.keys(FORMAT) as (keyof typeof FORMAT)[];

/** Characters of a commit's message, of its author's name and email that are kept. */
const MAX_MESSAGE_LENGTH = 10_000;
export const MAX_NAME_LENGTH = 200;
const MAX_EMAIL_LENGTH = 254;
/** Changes of one commit that are kept when nothing else is said: as many as a tree may have entries. */
const MAX_CHANGES = 500_000;
/** Characters of the paths of one commit's changes that are kept. */
const MAX_CHANGE_CHARS = 64 * 2 ** 20;
/** Bytes of one part of git's output that are kept. Enough for 25,000 parents. */
const MAX_PART = 2 ** 20;

/**
 * The output is a row of parts, each ended by NUL:
 *
 *   commit  = oid parents author email time committed message change*
 *   change  = [LF] ":" oldmode SP newmode SP oldblob SP newblob SP status path [newpath]
 *
 * LF stands before a commit's first change only; `newpath` follows the status letters R and C. A part behind a
 * commit that begins neither with `:` nor with LF `:` is the next commit's hash.
 */
export class LogReader {
  readonly #maxChanges: number;
  /** The part whose end has not been read. */
  #rest: Buffer[] = [];
  #restBytes = 0;
  #changeChars = 0;
  #fields: string[] = [];
  #commit: LogCommit | null = null;
  #change: PathChange | null = null;

  /** Keeps `maxChanges` of every commit's changes and counts the others. */
  constructor(maxChanges = MAX_CHANGES) {
    this.#maxChanges = maxChanges;
  }

  *push(chunk: Buffer): Generator<LogCommit, void, undefined> {
    const last = chunk.lastIndexOf(0);
    if (last === -1) {
      this.#hold(chunk);
      return;
    }
    const whole = chunk.subarray(0, last);
    const bytes = this.#restBytes === 0 ? whole : Buffer.concat([...this.#rest, whole]);
    this.#rest = [];
    this.#restBytes = 0;
    this.#hold(chunk.subarray(last + 1));
    // Decoding many parts at once is several times faster than each alone, and NUL never lies inside a character.
    for (const part of bytes.toString('utf8').split('\0')) {
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

  /** Keeps the beginning of a part; what exceeds `MAX_PART` is dropped, so that one huge part costs no memory. */
  #hold(bytes: Buffer): void {
    if (bytes.length === 0 || this.#restBytes >= MAX_PART) return;
    this.#rest.push(bytes);
    this.#restBytes += bytes.length;
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
        this.#change = { status: parseStatus(part), path: '', oldPath: null };
        return null;
      }
    }
    const finished = this.#commit;
    this.#commit = null;
    this.#fields.push(part);
    if (this.#fields.length === FIELDS.length) {
      this.#commit = readCommit(this.#fields);
      this.#fields = [];
      this.#changeChars = 0;
    }
    return finished;
  }

  #takePath(change: PathChange, path: string): void {
    const isTwoPaths = change.status === 'R' || change.status === 'C';
    if (isTwoPaths && change.oldPath === null) {
      change.oldPath = path;
      return;
    }
    this.#change = null;
    change.path = path;
    const commit = this.#commit!;
    commit.changeCount++;
    if (commit.changes.length >= this.#maxChanges || this.#changeChars >= MAX_CHANGE_CHARS) return;
    if (!isIndexablePath(path) || (change.oldPath !== null && !isIndexablePath(change.oldPath))) return;
    this.#changeChars += path.length + (change.oldPath?.length ?? 0);
    commit.changes.push(commit.changeCount - 1 === commit.changes.length ? change : copyPaths(change));
  }
}

function readCommit(fields: string[]): LogCommit {
  const field = (name: keyof typeof FORMAT) => fields[FIELDS.indexOf(name)]!;
  const parents = field('parents');
  return {
    oid: field('oid'),
    parents: parents === '' ? [] : parents.split(' ').filter((oid) => oid.length === field('oid').length),
    author: field('author').slice(0, MAX_NAME_LENGTH),
    email: field('email').slice(0, MAX_EMAIL_LENGTH),
    time: readTime(field('time')),
    committed: readTime(field('committed')),
    message: field('message').slice(0, MAX_MESSAGE_LENGTH),
    changes: [],
    changeCount: 0,
  };
}

/** Beyond this many seconds a JavaScript date is invalid: year 275760. */
const LAST_SECOND = 8.64e12;

function readTime(text: string): number {
  const seconds = text === '' ? Number.NaN : Number(text);
  return Math.abs(seconds) <= LAST_SECOND ? seconds : Number.NaN;
}

/** A string that was split off keeps all of its chunk alive: too much where most of the chunk is left out. */
function copyPaths({ status, path, oldPath }: PathChange): PathChange {
  const copy = (text: string) => Buffer.from(text).toString();
  return { status, path: copy(path), oldPath: oldPath === null ? null : copy(oldPath) };
}

/** Parses the status letter behind the last blank; a similarity may follow it. */
function parseStatus(part: string): PathChange['status'] {
  return part[part.lastIndexOf(' ') + 1] as PathChange['status'];
}
