import { AppError } from '#contract/errors.ts';
import { detectLanguage } from '../chunk/languages.ts';
import type { CodeTable, CommitTable, FieldIndex, Postings, RepositoryIndex } from '../repository-index.ts';
import { terms } from '../tokens.ts';

/**
 * A view is what one revision shows of a memory that holds more. Whatever it shows is numbered anew without gaps,
 * in the order of the wide numbers; what it does not show has no number, so that no reader can come upon it:
 *
 *     wide document   0  1  2  3  4  5
 *     shown           1  0  1  1  0  2      a content may be shown at several paths
 *     starts          0  1  1  2  3  3  5   first number of each in the view
 *
 * Counts, lengths and averages are those of the revision alone, exactly as a build of that revision has them.
 */

/** A file of a revision's tree. */
export interface TreeFile {
  readonly path: string;
  /** Full hash of its blob. */
  readonly oid: string;
}

/**
 * The memory as of `revision`, a full hash, whose tree holds `files`; `missing` are those whose content the wide
 * memory does not have. A view lists no skipped files and can't be shared with another thread: share the wide one
 * and view it there. Throws `not_found` for a commit that the memory lacks.
 */
export function createSnapshot(
  memory: RepositoryIndex,
  revision: string,
  files: Iterable<TreeFile>,
): { memory: RepositoryIndex; missing: TreeFile[] } {
  const { generation, bytes } = memory;
  const commits = snapshotCommits(memory.commits, revision);
  const { code, missing } = memory.code ? snapshotCode(memory.code, files) : { code: null, missing: [] };
  const view = {
    generation,
    revision,
    commits,
    code,
    bytes,
    get shared(): never {
      throw new AppError('internal', 'A view of a memory cannot be shared.');
    },
  };
  return { memory: view, missing };
}

/** Commit `head`, a full hash, and its ancestors. Throws `not_found` when the table lacks it. */
export function snapshotCommits(commits: CommitTable, head: string): CommitTable {
  const newest = commits.find(head);
  if (newest === -1) throw new AppError('not_found', `The memory has no commit ${head}.`);
  const shown = renumber(markReachable(commits, newest));
  if (shown.wide.length === commits.count) return commits;
  const { wide, starts } = shown;
  const inView = (commit: number) => starts[commit + 1]! > starts[commit]!;
  const { paths, starts: changeStarts, changed, formerly } = visibleChanges(commits, wide);
  const oid = (commit: number) => commits.oid(wide[commit]!);
  let byPrefix: Map<string, number[]> | null = null;
  return {
    count: wide.length,
    oid,
    find: (hash) => {
      const found = commits.find(hash);
      if (found !== -1) return inView(found) ? starts[found]! : -1;
      // A prefix that several commits share may be one commit's alone in the view.
      byPrefix ??= Map.groupBy(wide.keys(), (commit) => oid(commit).slice(0, MIN_PREFIX_LENGTH));
      const alike = byPrefix
        .get(hash.slice(0, MIN_PREFIX_LENGTH))
        ?.filter((commit) => oid(commit).startsWith(hash));
      return alike?.length === 1 ? alike[0]! : -1;
    },
    time: (commit) => commits.time(wide[commit]!),
    author: (commit) => commits.author(wide[commit]!),
    email: (commit) => commits.email(wide[commit]!),
    subject: (commit) => commits.subject(wide[commit]!),
    message: (commit) => commits.message(wide[commit]!),
    parents: (commit) => commits.parents(wide[commit]!).map((parent) => starts[parent]!),
    paths: (commit) => changed.subarray(changeStarts[commit], changeStarts[commit + 1]),
    oldPaths: (commit) => formerly.subarray(changeStarts[commit], changeStarts[commit + 1]),
    statuses: (commit) => commits.statuses(wide[commit]!),
    omittedChanges: (commit) => commits.omittedChanges(wide[commit]!),
    pathCount: paths.wide.length,
    path: (path) => commits.path(paths.wide[path]!),
    pathNumber: (path) => {
      const number = commits.pathNumber(path);
      return number === -1 ? -1 : paths.numbers[number]!;
    },
    touching: (path) =>
      commits
        .touching(paths.wide[path]!)
        .filter(inView)
        .map((commit) => starts[commit]!),
    messages: snapshotField(commits.messages, shown),
  };
}

/** Digits below which `find` of a commit table finds nothing. */
const MIN_PREFIX_LENGTH = 7;

/** 1 for `head` and each of its ancestors. */
function markReachable(commits: CommitTable, head: number): Uint8Array {
  const reached = new Uint8Array(commits.count);
  const open = [head];
  reached[head] = 1;
  for (let commit = open.pop(); commit !== undefined; commit = open.pop()) {
    for (const parent of commits.parents(commit)) {
      if (reached[parent] === 0) open.push(parent);
      reached[parent] = 1;
    }
  }
  return reached;
}

/** What the shown commits changed: paths numbered in the order of their first appearance, -1 for all others. */
function visibleChanges(commits: CommitTable, shown: Uint32Array) {
  const wide: number[] = [];
  const numbers = new Int32Array(commits.pathCount).fill(-1);
  const number = (path: number) => {
    if (numbers[path] === -1) numbers[path] = wide.push(path) - 1;
    return numbers[path]!;
  };
  const starts = new Uint32Array(shown.length + 1);
  const [changed, formerly]: [number[], number[]] = [[], []];
  shown.forEach((commit, place) => {
    const [paths, oldPaths] = [commits.paths(commit), commits.oldPaths(commit)];
    for (let i = 0; i < paths.length; i++) {
      changed.push(number(paths[i]!));
      formerly.push(number(oldPaths[i]!));
    }
    starts[place + 1] = changed.length;
  });
  const paths = { wide, numbers };
  return { paths, starts, changed: Uint32Array.from(changed), formerly: Uint32Array.from(formerly) };
}

/** The passages of `files`, whichever paths the wide table knows their contents by; `missing` are those it lacks. */
export function snapshotCode(
  code: CodeTable,
  files: Iterable<TreeFile>,
): { code: CodeTable; missing: TreeFile[] } {
  const { found, missing } = findContents(code, files);
  // In the order of the wide files, so that lists of files stay sorted.
  found.sort((a, b) => a.source - b.source);
  const timesShown = new Uint32Array(code.fileCount);
  for (const { source } of found) timesShown[source]!++;
  const shownFiles = renumber(timesShown);
  const { passages, blobs } = visiblePassages(code, found);
  const fileNumbers = new Map(found.map(({ path }, file) => [path, file]));
  const source = (file: number) => found[file]!.source;
  let paths: FieldIndex | null = null;
  const fields = {
    body: snapshotField(code.field('body'), passages),
    symbol: snapshotField(code.field('symbol'), passages),
    prose: snapshotField(code.field('prose'), passages),
  };
  const view: CodeTable = {
    fileCount: found.length,
    filePath: (file) => found[file]!.path,
    fileNumber: (path) => fileNumbers.get(path) ?? -1,
    fileBlob: (file) => code.fileBlob(source(file)),
    fileLanguage: (file) => code.fileLanguage(source(file)),
    fileLines: (file) => code.fileLines(source(file)),
    filePassages: (file) => {
      const { first, count } = code.filePassages(source(file));
      return { first: passages.starts[first]!, count };
    },
    passageCount: passages.wide.length,
    passageFiles: (passage) => [...blobs.files[blobs.of[passage]!]!],
    passageLines: (passage) => code.passageLines(passages.wide[passage]!),
    passageSymbol: (passage) => code.passageSymbol(passages.wide[passage]!),
    passageText: (passage) => code.passageText(passages.wide[passage]!),
    passagesDefining: (name) => toSnapshotNumbers(code.passagesDefining(name), passages),
    field: (field) => fields[field],
    get paths() {
      paths ??= indexTexts(found.map(({ path }) => path));
      return paths;
    },
    files: snapshotField(code.files, shownFiles),
    candidateFiles: (query) => {
      const wide = code.candidateFiles(query);
      if (wide === null) return null;
      const holding = new Set(wide);
      return Array.from(found.keys()).filter((file) => holding.has(source(file)));
    },
    skippedCount: 0,
    skipped: () => {
      throw new AppError('internal', 'A view lists no skipped files.');
    },
  };
  return { code: view, missing };
}

/** A shown file and a file of the wide table that has its content. */
interface SnapshotFile {
  readonly path: string;
  readonly source: number;
}

/** Files by content, made once for a wide table. */
const filesByBlob = new WeakMap<CodeTable, Map<string, number[]>>();

function findContents(
  code: CodeTable,
  files: Iterable<TreeFile>,
): { found: SnapshotFile[]; missing: TreeFile[] } {
  let byBlob = filesByBlob.get(code);
  if (!byBlob) {
    byBlob = Map.groupBy(Array(code.fileCount).keys(), (file) => code.fileBlob(file));
    filesByBlob.set(code, byBlob);
  }
  const found: SnapshotFile[] = [];
  const missing: TreeFile[] = [];
  for (const file of files) {
    const known = byBlob.get(file.oid) ?? [];
    const source =
      known.find((number) => code.filePath(number) === file.path) ??
      known.find((number) => isChunkedAlike(code.filePath(number), file.path));
    if (source === undefined) missing.push(file);
    else found.push({ path: file.path, source });
  }
  return { found, missing };
}

/** Whether the same content gives the same passages at both paths: the path has a say in the language. */
function isChunkedAlike(path: string, other: string): boolean {
  return detectLanguage(path, '') === detectLanguage(other, '') && /\.h$/i.test(path) === /\.h$/i.test(other);
}

/** Passages of the files, and for each the files that show it; `blobs.of` numbers contents that have passages. */
function visiblePassages(code: CodeTable, found: readonly SnapshotFile[]) {
  const shown = new Uint8Array(code.passageCount);
  const filesOf = new Map<number, number[]>();
  found.forEach(({ source }, file) => {
    const { first, count } = code.filePassages(source);
    if (count === 0) return;
    shown.fill(1, first, first + count);
    const files = filesOf.get(first);
    if (files) files.push(file);
    else filesOf.set(first, [file]);
  });
  const passages = renumber(shown);
  const files = [...filesOf].sort(([a], [b]) => a - b);
  const of = new Uint32Array(passages.wide.length);
  files.forEach(([first], blob) => {
    const end = passages.starts[files[blob + 1]?.[0] ?? code.passageCount]!;
    of.fill(blob, passages.starts[first], end);
  });
  return { passages, blobs: { of, files: files.map(([, numbers]) => numbers) } };
}

/** Numbers of a view and of what it shows, as drawn at the top of this file. */
interface Numbering {
  /** View → wide. */
  readonly wide: Uint32Array;
  /** Wide → the first of its numbers in the view; the next one's `starts` ends them. */
  readonly starts: Uint32Array;
  /** Room for the postings of one term. */
  readonly docs: Uint32Array;
  readonly counts: Uint8Array;
}

function renumber(timesShown: Uint8Array | Uint32Array): Numbering {
  const starts = new Uint32Array(timesShown.length + 1);
  for (let i = 0; i < timesShown.length; i++) starts[i + 1] = starts[i]! + timesShown[i]!;
  const count = starts[timesShown.length]!;
  const wide = new Uint32Array(count);
  for (let i = 0; i < timesShown.length; i++) wide.fill(i, starts[i], starts[i + 1]);
  return { wide, starts, docs: new Uint32Array(count), counts: new Uint8Array(count) };
}

function toSnapshotNumbers(wide: readonly number[], { starts }: Numbering): number[] {
  return wide.filter((number) => starts[number + 1]! > starts[number]!).map((number) => starts[number]!);
}

/** A field of the shown documents. Postings are borrowed: the next call overwrites them. */
function snapshotField(index: FieldIndex, { wide, starts, docs, counts }: Numbering): FieldIndex {
  const lengths = wide.map((document) => index.lengths[document]!);
  return {
    count: wide.length,
    averageLength: average(lengths),
    lengths,
    postings: (term) => {
      const postings = index.postings(term);
      if (!postings) return null;
      let found = 0;
      for (let i = 0; i < postings.docs.length; i++) {
        const end = starts[postings.docs[i]! + 1]!;
        for (let document = starts[postings.docs[i]!]!; document < end; document++) {
          docs[found] = document;
          counts[found++] = postings.counts[i]!;
        }
      }
      return found === 0 ? null : { docs: docs.subarray(0, found), counts: counts.subarray(0, found) };
    },
  };
}

function average(lengths: Uint32Array): number {
  return lengths.reduce((sum, length) => sum + length, 0) / (lengths.length || 1);
}

/** An index over short texts, one document each. */
function indexTexts(texts: readonly string[]): FieldIndex {
  const lengths = new Uint32Array(texts.length);
  const found = new Map<string, { docs: number[]; counts: number[] }>();
  texts.forEach((text, document) => {
    for (const term of terms(text)) {
      const list = found.get(term) ?? { docs: [], counts: [] };
      if (list.docs.at(-1) === document) list.counts[list.counts.length - 1]!++;
      else list.counts[list.docs.push(document) - 1] = 1;
      found.set(term, list);
      lengths[document]!++;
    }
  });
  const postings = new Map<string, Postings>();
  for (const [term, { docs, counts }] of found) {
    postings.set(term, {
      docs: Uint32Array.from(docs),
      counts: Uint8Array.from(counts, (count) => Math.min(count, 255)),
    });
  }
  return {
    count: texts.length,
    averageLength: average(lengths),
    lengths,
    postings: (term) => postings.get(term) ?? null,
  };
}
