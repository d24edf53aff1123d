import type { PendingPart, SkipReason } from '#contract/projects.ts';

/**
 * The read interface of a project's index. Tables are typed arrays over shared memory; strings are decoded on demand.
 * Numbers of documents are dense, from 0.
 */

/** Field of a passage: `body` is code, `symbol` the names it defines, `prose` its comments and strings. */
export type PassageField = 'body' | 'symbol' | 'prose';

/** Posting list of a term in one field: ascending document numbers and the term frequency in each, up to 255. */
export interface Postings {
  readonly docs: Uint32Array;
  readonly counts: Uint8Array;
}

/** An inverted index of one field over documents 0..count-1. */
export interface FieldIndex {
  readonly count: number;
  readonly averageLength: number;
  /** Length of every document in terms. */
  readonly lengths: Uint32Array;
  /** Null when no document has the term. `term` is a token of `tokens.ts`. */
  postings(term: string): Postings | null;
}

/** Commits that the indexed head reaches, newest first (the order of `git log --topo-order` by date). */
export interface CommitTable {
  readonly count: number;
  oid(commit: number): string;
  /** Finds a commit by its full hash or by a unique prefix of at least 7 digits; -1 when absent. */
  find(hash: string): number;
  /** Author time in seconds since 1970; NaN for a broken date. */
  time(commit: number): number;
  /** Commit time in seconds since 1970, which the order follows; NaN for a broken date. */
  committed(commit: number): number;
  author(commit: number): string;
  email(commit: number): string;
  /** First paragraph of the message on one line. */
  subject(commit: number): string;
  message(commit: number): string;
  parents(commit: number): number[];
  /** Changed paths (new names) as numbers of `path()`. Merges have none. */
  paths(commit: number): Uint32Array;
  /** Number of further changes that are not stored: their paths are too long, or they are too many. */
  omittedChanges(commit: number): number;
  /** Beside `paths`: the name before a rename or copy, otherwise the same number. */
  oldPaths(commit: number): Uint32Array;
  /** Status letters beside `paths`: A, M, D, R, C, T. */
  statuses(commit: number): string;
  readonly pathCount: number;
  path(path: number): string;
  pathNumber(path: string): number;
  /** Commits that changed a path under this name, newest first. */
  touching(path: number): Uint32Array;
  readonly messages: FieldIndex;
}

/** A file that is not indexed, with the reason; `size` in bytes where it is known. */
interface SkippedFile {
  readonly path: string;
  readonly reason: SkipReason;
  readonly size: number | null;
}

/** Trigrams that a blob must contain for a pattern to match. Trigrams are three bytes as Latin-1 characters. */
export type TrigramQuery =
  | { kind: 'any' }
  | { kind: 'trigram'; trigram: string }
  | { kind: 'and' | 'or'; parts: TrigramQuery[] };

/** Code at the indexed revision. Passages are keyed by (blob, ordinal); files are the revision's view of blobs. */
export interface CodeTable {
  readonly fileCount: number;
  filePath(file: number): string;
  fileNumber(path: string): number;
  fileBlob(file: number): string;
  fileLanguage(file: number): string;
  fileLines(file: number): number;
  /** First passage of a file and the number of its passages: those of a blob are consecutive. */
  filePassages(file: number): { first: number; count: number };
  readonly passageCount: number;
  /** Files with this passage; several when the same blob is at several paths. */
  passageFiles(passage: number): number[];
  passageLines(passage: number): { start: number; end: number };
  /** Full name such as `Session.request`, or null outside any definition. */
  passageSymbol(passage: number): string | null;
  /** The lines of a passage with their line ends; null where they must be read from git. Reads from disk. */
  passageText(passage: number): string | null;
  /** The bytes of consecutive passages of a blob, valid until the next read; null where they must be read from git. */
  passageBytes(first: number, count: number): Buffer | null;
  /** Passages that define this name: its last segment or its full name, without case. */
  passagesDefining(name: string): number[];
  field(field: PassageField): FieldIndex;
  /** Documents are files. */
  readonly paths: FieldIndex;
  /** Documents are files, with the frequency of each term anywhere in the file. */
  readonly files: FieldIndex;
  /** Files that may match the query, ascending; null for all. Every file that matches is among them. */
  candidateFiles(query: TrigramQuery): number[] | null;
  readonly skippedCount: number;
  skipped(index: number): SkippedFile;
}

/** An open generation of a project's index. */
export interface RepositoryIndex {
  readonly generation: string;
  /** The indexed commit. */
  readonly revision: string;
  readonly commits: CommitTable;
  /** Null until the passages phase has been published. */
  readonly code: CodeTable | null;
  /** Parts that are not complete yet; empty for every index that `completeParts` returns. */
  readonly pending: readonly PendingPart[];
  readonly bytes: number;
  /** Buffers that another thread opens with `attachIndex`. */
  readonly shared: SharedIndex;
}

/** Buffers of an open generation: all that another thread needs to read it. */
export interface SharedIndex {
  readonly generation: string;
  /** Folder of the project's generations; absent for an index that was built in memory. */
  readonly directory?: string;
  readonly commits: SharedPart;
  readonly code: SharedPart | null;
  /** See `RepositoryIndex`. */
  readonly pending: readonly PendingPart[];
}

/** Manifest of a revision, and the segments that it names in their order. */
export interface SharedPart {
  readonly manifest: SharedArrayBuffer;
  readonly segments: readonly SharedSegment[];
}

export interface SharedSegment {
  readonly name: string;
  readonly buffer: SharedArrayBuffer;
  /** Path of the texts beside a code segment; null for one that was never written to a file. */
  readonly texts: string | null;
}
