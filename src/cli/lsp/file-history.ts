import { LRUCache } from 'lru-cache';
import { isFixCommit } from '#evolution/fixes.ts';
import { diffLines } from '#evolution/line-diff.ts';
import { type BlameLine, blame } from '#git/blame.ts';
import { openBlobReader } from '#git/blobs.ts';
import { findEntry } from '#git/tree.ts';
import { detectLanguage } from '#memory/chunk/languages.ts';
import type { Definition } from '#memory/chunk/outline.ts';
import { findDefinitionsInText } from '#memory/chunk/parser-processes.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';

const MAX_FILES = 50;
const MAX_BYTES = 2_000_000;
/** Longer hunks are cut by the comparison, so that lines behind them cannot be told. */
const MAX_HUNK_LINES = 5_000;

/** A repository on this disk with its index. */
export interface IndexedRepository {
  repo: string;
  index: RepositoryIndex;
}

/** A committed file with the last change of each line. */
interface CommittedFile {
  lines: string[];
  blame: BlameLine[];
}

/** A definition whose lines a fix has changed. */
interface FixedDefinition {
  /** First line, from 0. */
  line: number;
  symbol: string;
  /** Number of the newest fix in the index. */
  fix: number;
}

/** Histories of the files of a local repository, as they are in the editor. */
export class FileHistories {
  readonly #local: IndexedRepository;
  readonly #signal: AbortSignal;
  readonly #files = new LRUCache<string, { file: Promise<CommittedFile | null> }>({ max: MAX_FILES });

  constructor(local: IndexedRepository, signal: AbortSignal) {
    this.#local = local;
    this.#signal = signal;
  }

  /** Last changes of the lines of a text, from 0; null for lines that are not committed. */
  async blameText(path: string, text: string): Promise<(BlameLine | null)[]> {
    const file = await this.#load(path);
    const lines = splitLines(text);
    if (!file) return lines.map(() => null);
    return mapLines(file.lines, lines).map((at) => (at === null ? null : (file.blame[at] ?? null)));
  }

  /** Definitions of a text with the newest fix among the commits of their lines. */
  async fixedDefinitions(path: string, text: string): Promise<FixedDefinition[]> {
    const { index } = this.#local;
    const [blamed, definitions] = await Promise.all([
      this.blameText(path, text),
      findDefinitionsInText(detectLanguage(path, text), text, { signal: this.#signal }),
    ]);
    return withMembers(definitions).flatMap(({ names, start, end }) => {
      const commits = new Set(blamed.slice(start, end + 1).map((line) => line?.oid));
      // Numbers grow with age.
      const fixes = [...commits]
        .map((oid) => (oid === undefined ? -1 : index.commits.find(oid)))
        .filter((commit) => commit >= 0 && isFixCommit(index, commit));
      return fixes.length === 0 ? [] : [{ line: start, symbol: names[0] ?? '', fix: Math.min(...fixes) }];
    });
  }

  async #load(path: string): Promise<CommittedFile | null> {
    const known = this.#files.get(path);
    if (known) return await known.file;
    const file = this.#read(path);
    this.#files.set(path, { file });
    file.catch(() => this.#files.delete(path));
    return await file;
  }

  async #read(path: string): Promise<CommittedFile | null> {
    const { repo, index } = this.#local;
    const entry = await findEntry(repo, index.revision, path);
    if (entry?.type !== 'blob') return null;
    const blobs = openBlobReader(repo, { signal: this.#signal });
    try {
      const blob = await blobs.read(entry.oid, MAX_BYTES);
      if (!blob || !('content' in blob) || blob.content.includes(0)) return null;
      const lines = splitLines(blob.content.toString('utf8'));
      const request = { commit: index.revision, path, from: 1, to: lines.length, signal: this.#signal };
      return { lines, blame: lines.length === 0 ? [] : await blame(repo, request) };
    } finally {
      blobs.close();
    }
  }
}

/** Definitions that hold no others: functions and methods, and the members of classes instead of these. */
function withMembers(definitions: readonly Definition[]): Definition[] {
  return definitions.flatMap((one) =>
    one.container && one.children.length > 0 ? withMembers(one.children) : [one],
  );
}

function splitLines(text: string): string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** Number of each line of `after` in `before`, both from 0; null for new and changed lines. */
export function mapLines(before: readonly string[], after: readonly string[]): (number | null)[] {
  const hunks = diffLines({ start: 1, lines: before }, { start: 1, lines: after });
  const map: (number | null)[] = [];
  let old = 0;
  for (const { new_start: start, lines } of hunks) {
    while (map.length < start - 1) map.push(old++);
    for (const { kind } of lines) {
      if (kind === 'delete') old++;
      else map.push(kind === 'add' ? null : old++);
    }
    if (lines.length >= MAX_HUNK_LINES) return after.map((_, line) => map[line] ?? null);
  }
  while (map.length < after.length) map.push(old++);
  return map;
}
