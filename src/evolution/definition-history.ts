import { type BlobReader, openBlobReader } from '#git/blobs.ts';
import { type BlobChange, readBlobChanges } from '#git/lineage-blobs.ts';
import type { CommitTable } from '#memory/repository-index.ts';
import {
  type DefinitionVersion,
  flattenVersions,
  lastName,
  listDefinitionVersions,
  matchDefinition,
  mostSimilar,
  type ParsedVersion,
  parseFileVersion,
  signature,
} from './definition-versions.ts';

/** Part of the table of commits that histories are read from. */
export type HistoryCommits = Pick<
  CommitTable,
  'oid' | 'touching' | 'paths' | 'oldPaths' | 'path' | 'pathNumber'
>;

/** A commit that changed a definition, or moved its file. */
export interface DefinitionChange {
  commit: number;
  path: string;
  after: DefinitionVersion;
  /** Null in the commit that introduced the definition. */
  before: DefinitionVersion | null;
  /** Path before the commit, where it differs. */
  movedFrom: string | null;
}

interface HistoryRequest {
  repo: string;
  commits: HistoryCommits;
  path: string;
  /** Text of the file at the newest commit. */
  text: string;
  /** Lines of the definition in it, from 1. */
  start: number;
  end: number;
  name: string;
  maxChanges: number;
  /** Milliseconds after which the history ends early; no limit when absent. */
  timeoutMs?: number;
  /** Receives each change when it is found, newest first. */
  onChange?: (change: DefinitionChange) => void;
  signal?: AbortSignal;
}

/** Commits of the file that are read at once. */
const BATCH = 100;
/** Commits of the file that are read at most. */
const MAX_COMMITS = 3_000;
/** After the definition's introduction, so many commits without it end the search on other branches. */
const MAX_WITHOUT = 50;
const MAX_FILE_BYTES = 2 ** 20;
const CACHED_TEXTS = 24;
/** Commits whose texts are read ahead. */
const READ_AHEAD = 6;
/** Texts of parallel branches by which an unchanged version is recognized. */
const RECENT_TEXTS = 4;
/** Changed files of a commit in which the source of a move is looked for, and those of them that are parsed. */
const MAX_MOVE_FILES = 300;
const MAX_MOVE_PARSED = 4;
/** Share of a definition's lines that the source of its move contains. */
const MIN_SHARED_LINES = 0.25;

/**
 * Follows a definition back through the commits that touched its file: a version that contains its unchanged text is
 * passed over, another one is parsed. Null where the file has no grammar.
 */
export async function traceDefinition(request: HistoryRequest) {
  const { repo, path, text, name, start, end, signal } = request;
  const definitions = await listDefinitionVersions(path, text, signal);
  const overlapping = definitions.filter((one) => one.start <= end && one.end >= start);
  const current =
    overlapping.find((one) => one.name === name && one.start >= start && one.end <= end) ??
    overlapping.find((one) => lastName(one.name) === lastName(name));
  if (!current) return null;
  const blobs = openBlobReader(repo, { ...(signal && { signal }) });
  try {
    return await new DefinitionTrace(request, current, cacheTexts(blobs)).run();
  } finally {
    blobs.close();
  }
}

/** Reads the text of a blob; empty for none and for one that is too large. */
type TextReader = (blob: string | null) => Promise<string>;

/** Reads texts and keeps the newest: what one commit left, a later one found. */
function cacheTexts(blobs: BlobReader): TextReader {
  const texts = new Map<string, Promise<string>>();
  return (blob) => {
    if (blob === null) return Promise.resolve('');
    let text = texts.get(blob);
    if (!text) {
      text = readText(blobs, blob);
      texts.set(blob, text);
      if (texts.size > CACHED_TEXTS) texts.delete(texts.keys().next().value!);
    }
    return text;
  };
}

async function readText(blobs: BlobReader, blob: string): Promise<string> {
  const read = await blobs.read(blob, MAX_FILE_BYTES);
  return read && 'content' in read ? trimLines(read.content.toString('utf8')) : '';
}

/** Removes blanks at the ends of lines. A scan for newlines takes a tenth of the time of a pattern. */
function trimLines(text: string): string {
  let trimmed = '';
  let from = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) {
    let last = end;
    while (last > from && isBlank(text.charCodeAt(last - 1))) last--;
    if (last === end) continue;
    trimmed += text.slice(from, last);
    from = end;
  }
  return from === 0 ? text : trimmed + text.slice(from);
}

/** True for a space, a tab and a carriage return. */
function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 13;
}

function timeAfter(timeoutMs: number): () => boolean {
  const end = performance.now() + timeoutMs;
  return () => performance.now() > end;
}

/** A version of a file. */
interface Version {
  path: string;
  blob: string | null;
}

class DefinitionTrace {
  readonly #request: HistoryRequest;
  readonly #readBlob: TextReader;
  readonly #changes: DefinitionChange[] = [];
  /** Newest first. */
  #pending: number[] = [];
  readonly #seen = new Set<number>();
  readonly #paths = new Set<number>();
  readonly #names = new Set<string>();
  readonly #recent: DefinitionVersion[] = [];
  /** The definition by version; null where the version is known to lack it. */
  readonly #byBlob = new Map<string, DefinitionVersion | null>();
  #parsed = new Map<string, DefinitionVersion[]>();
  /** Version of each path that was parsed last. */
  readonly #lastParsed = new Map<string, ParsedVersion>();
  #introduced = false;
  #without = 0;

  constructor(request: HistoryRequest, current: DefinitionVersion, readBlob: TextReader) {
    this.#request = request;
    this.#readBlob = readBlob;
    this.#remember(current, null);
    this.#follow(request.commits.pathNumber(request.path), -1);
  }

  async run() {
    const { maxChanges, signal } = this.#request;
    const { timeoutMs = Number.POSITIVE_INFINITY } = this.#request;
    const isLate = timeAfter(timeoutMs);
    while (this.#pending.length > 0 && this.#seen.size < MAX_COMMITS && !this.#isOver() && !isLate()) {
      const batch = this.#pending.slice(0, BATCH);
      const known = this.#paths.size;
      const rows = await this.#readRows(batch);
      const rowsOf = (commit: number) => rows.get(this.#request.commits.oid(commit)) ?? [];
      for (const [i, commit] of batch.entries()) {
        signal?.throwIfAborted();
        for (const next of batch.slice(i + 1, i + 1 + READ_AHEAD)) this.#readAhead(rowsOf(next));
        this.#pending.shift();
        this.#seen.add(commit);
        await this.#visit(commit, rowsOf(commit));
        // A former path has commits between those of the batch.
        if (this.#paths.size > known || this.#isOver() || isLate()) break;
      }
    }
    const complete = this.#changes.length < maxChanges && this.#seen.size < MAX_COMMITS && !isLate();
    return { changes: this.#changes.slice(0, maxChanges), complete };
  }

  #readAhead(rows: BlobChange[]): void {
    for (const { path, oldBlob, blob } of rows) {
      if (!this.#paths.has(this.#request.commits.pathNumber(path))) continue;
      // The visit of the commit reports a failure.
      for (const one of [oldBlob, blob]) this.#readBlob(one).catch(() => undefined);
    }
  }

  #isOver(): boolean {
    const enough = this.#changes.length >= this.#request.maxChanges;
    return enough || (this.#introduced && this.#without >= MAX_WITHOUT);
  }

  #follow(path: number, since: number): void {
    if (path < 0 || this.#paths.has(path)) return;
    this.#paths.add(path);
    const older = [...this.#request.commits.touching(path)].filter((commit) => commit > since);
    const fresh = older.filter((commit) => !this.#seen.has(commit));
    this.#pending = [...new Set([...this.#pending, ...fresh])].sort((a, b) => a - b);
  }

  #readRows(batch: number[]): Promise<Map<string, BlobChange[]>> {
    const { repo, commits, signal } = this.#request;
    const former = batch.flatMap((commit) => this.#renames(commit).map(({ from }) => from));
    const paths = [...new Set([...this.#paths, ...former])].map((path) => commits.path(path));
    const oids = batch.map((commit) => commits.oid(commit));
    return readBlobChanges(repo, oids, { paths, ...(signal && { signal }) });
  }

  /** Followed paths that a commit renamed, with their former numbers. */
  #renames(commit: number): { to: number; from: number }[] {
    const { commits } = this.#request;
    const old = commits.oldPaths(commit);
    return Array.from(commits.paths(commit), (to, i) => ({ to, from: old[i]! })).filter(
      ({ to, from }) => to !== from && this.#paths.has(to),
    );
  }

  async #visit(commit: number, rows: BlobChange[]): Promise<void> {
    const { commits } = this.#request;
    const renames = this.#renames(commit);
    let found = false;
    for (const { path, oldBlob, blob } of rows) {
      const number = commits.pathNumber(path);
      if (blob === null || !this.#paths.has(number)) continue;
      const rename = renames.find(({ to }) => to === number);
      const from = rename ? commits.path(rename.from) : path;
      const before = rename ? (rows.find((row) => row.path === from)?.oldBlob ?? null) : oldBlob;
      found = (await this.#compare(commit, { path, blob }, { path: from, blob: before })) || found;
      if (rename && found) this.#follow(rename.from, commit);
    }
    this.#without = found ? 0 : this.#without + 1;
  }

  /** Records the change between two versions of a file; false where the newer one lacks the definition. */
  async #compare(commit: number, newer: Version, older: Version): Promise<boolean> {
    const [text, oldText] = await Promise.all([this.#readBlob(newer.blob), this.#readBlob(older.blob)]);
    const movedFrom = newer.path === older.path ? null : older.path;
    const same = this.#recent.find(
      ({ fingerprint }) => text.includes(fingerprint) && oldText.includes(fingerprint),
    );
    if (same) {
      if (movedFrom) this.#record({ commit, path: newer.path, after: same, before: same, movedFrom });
      return true;
    }
    const after = await this.#locate(newer, text);
    if (!after) {
      if (older.blob && !this.#byBlob.has(older.blob)) this.#byBlob.set(older.blob, null);
      return false;
    }
    const sides = { own: await this.#parse(newer, text), others: await this.#parse(older, oldText) };
    const before = matchDefinition(after, sides);
    if (!before) {
      const source = await this.#findSource(commit, newer, after);
      const moved = { before: source?.definition ?? null, movedFrom: source?.path ?? null };
      if (older.blob) this.#byBlob.set(older.blob, null);
      this.#record({ commit, path: newer.path, after, ...moved });
      return true;
    }
    this.#remember(before, older.blob);
    if (before.text !== after.text || movedFrom)
      this.#record({ commit, path: newer.path, after, before, movedFrom });
    return true;
  }

  #record(change: DefinitionChange): void {
    this.#changes.push(change);
    this.#request.onChange?.(change);
    if (change.before === null) this.#introduced = true;
  }

  #remember(definition: DefinitionVersion, blob: string | null): void {
    this.#names.add(lastName(definition.name));
    if (blob) this.#byBlob.set(blob, definition);
    if (this.#recent.some(({ fingerprint }) => fingerprint === definition.fingerprint)) return;
    this.#recent.unshift(definition);
    this.#recent.length = Math.min(this.#recent.length, RECENT_TEXTS);
  }

  /** The definition in a version of its file; null where it is not there, as on a branch that never had it. */
  async #locate(version: Version, text: string): Promise<DefinitionVersion | null> {
    const known = this.#byBlob.get(version.blob!);
    if (known !== undefined) return known;
    if (![...this.#names].some((name) => text.includes(name))) return null;
    const definitions = await this.#parse(version, text);
    for (const recent of this.#recent) {
      const exact = definitions.find((one) => one.text === recent.text);
      if (exact) return exact;
    }
    const latest = this.#recent[0]!;
    // Before its introduction only another branch can have it, and a similar one is another one.
    if (this.#introduced) return definitions.find((one) => signature(one) === signature(latest)) ?? null;
    return matchDefinition(latest, { own: [latest], others: definitions });
  }

  async #parse({ path, blob }: Version, text: string): Promise<DefinitionVersion[]> {
    if (blob === null) return [];
    let found = this.#parsed.get(blob);
    if (!found) {
      const { signal } = this.#request;
      const known = this.#lastParsed.get(path) ?? null;
      const version = await parseFileVersion(path, text, { known, ...(signal && { signal }) });
      this.#lastParsed.set(path, version);
      found = flattenVersions(version);
      if (this.#parsed.size > 8) this.#parsed = new Map();
      this.#parsed.set(blob, found);
    }
    return found;
  }

  /** Finds the file that a commit took a definition from; null when the commit wrote it or left a copy there. */
  async #findSource(commit: number, { path }: Version, after: DefinitionVersion) {
    const { repo, commits, signal } = this.#request;
    const oid = commits.oid(commit);
    const rows = (await readBlobChanges(repo, [oid], { ...(signal && { signal }) })).get(oid) ?? [];
    const extension = path.slice(path.lastIndexOf('.'));
    const lines = informativeLines(after.code);
    const shares: { row: BlobChange; text: string; share: number }[] = [];
    const sources = rows.filter((row) => row.oldBlob && row.path !== path && row.path.endsWith(extension));
    for (const row of sources.slice(0, MAX_MOVE_FILES)) {
      const text = await this.#readBlob(row.oldBlob);
      const share = lines.filter((line) => text.includes(line)).length / Math.max(1, lines.length);
      if (share >= MIN_SHARED_LINES) shares.push({ row, text, share });
    }
    shares.sort((a, b) => b.share - a.share);
    for (const { row, text } of shares.slice(0, MAX_MOVE_PARSED)) {
      const version = { path: row.path, blob: row.oldBlob };
      const now = await this.#parse(row, await this.#readBlob(row.blob));
      const kept = new Set(now.map(signature));
      const gone = (await this.#parse(version, text)).filter((one) => !kept.has(signature(one)));
      const definition = mostSimilar(after, gone);
      if (!definition) continue;
      this.#remember(definition, row.oldBlob);
      this.#follow(commits.pathNumber(row.path), commit);
      return { definition, path: row.path };
    }
    return null;
  }
}

function informativeLines(code: string): string[] {
  return code
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length > 8);
}
