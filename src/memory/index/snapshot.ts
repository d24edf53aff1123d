import { AppError } from '#contract/errors.ts';
import { detectLanguage } from '../chunk/languages.ts';
import type { CodeTable, CommitTable, FieldIndex, Postings, RepositoryIndex } from '../repository-index.ts';
import { terms } from '../tokens.ts';
import { mean } from './segments/postings-reader.ts';

/**
 * A snapshot is the part of a superset that one revision shows. Visible documents are renumbered without gaps in the
 * order of the superset; hidden ones have no number, so no reader can reach them:
 *
 *     superset document   0  1  2  3  4  5
 *     times visible       1  0  1  1  0  2      a content may be visible at several paths
 *     starts              0  1  1  2  3  3  5   first number of each in the snapshot
 *
 * Counts, lengths and averages are those of the revision alone, exactly as a build of that revision has them.
 */

/** File of a revision's tree. */
export interface TreeFile {
  readonly path: string;
  /** Full hash of the blob. */
  readonly oid: string;
}

/**
 * Opens a superset at `revision`, a full hash, whose tree contains `files`; `missing` are those whose content the superset
 * lacks. A snapshot lists no skipped files and can't be shared with another thread: share the superset instead. Throws
 * `not_found` for a commit that the superset lacks.
 */
export function createSnapshot(
  superset: RepositoryIndex,
  revision: string,
  files: Iterable<TreeFile>,
): { snapshot: RepositoryIndex; missing: TreeFile[] } {
  const { generation, bytes, pending } = superset;
  const commits = snapshotCommits(superset.commits, revision);
  const { code, missing } = superset.code ? snapshotCode(superset.code, files) : { code: null, missing: [] };
  const snapshot = {
    generation,
    revision,
    commits,
    code,
    pending,
    bytes,
    get shared(): never {
      throw new Error('An index snapshot cannot be shared.');
    },
  };
  return { snapshot, missing };
}

/** Restricts a table to commit `head`, a full hash, and its ancestors. Throws `not_found` when the table lacks it. */
export function snapshotCommits(commits: CommitTable, head: string): CommitTable {
  const newest = commits.find(head);
  if (newest === -1) throw new AppError('not_found', 'commit_not_indexed', { params: { commit: head } });
  const visible = renumber(markReachable(commits, newest));
  if (visible.source.length === commits.count) return commits;
  const { source, starts } = visible;
  const isVisible = (commit: number) => starts[commit + 1]! > starts[commit]!;
  const { paths, starts: changeStarts, changed, oldPathsChanged } = visibleChanges(commits, source);
  const oid = (commit: number) => commits.oid(source[commit]!);
  let byPrefix: Map<string, number[]> | null = null;
  return {
    count: source.length,
    oid,
    find: (hash) => {
      const found = commits.find(hash);
      if (found !== -1) return isVisible(found) ? starts[found]! : -1;
      // A prefix that is ambiguous in the superset may be unique in the snapshot.
      byPrefix ??= Map.groupBy(source.keys(), (commit) => oid(commit).slice(0, MIN_PREFIX_LENGTH));
      const matching = byPrefix
        .get(hash.slice(0, MIN_PREFIX_LENGTH))
        ?.filter((commit) => oid(commit).startsWith(hash));
      return matching?.length === 1 ? matching[0]! : -1;
    },
    time: (commit) => commits.time(source[commit]!),
    committed: (commit) => commits.committed(source[commit]!),
    author: (commit) => commits.author(source[commit]!),
    email: (commit) => commits.email(source[commit]!),
    subject: (commit) => commits.subject(source[commit]!),
    message: (commit) => commits.message(source[commit]!),
    parents: (commit) => commits.parents(source[commit]!).map((parent) => starts[parent]!),
    paths: (commit) => changed.subarray(changeStarts[commit], changeStarts[commit + 1]),
    oldPaths: (commit) => oldPathsChanged.subarray(changeStarts[commit], changeStarts[commit + 1]),
    statuses: (commit) => commits.statuses(source[commit]!),
    omittedChanges: (commit) => commits.omittedChanges(source[commit]!),
    pathCount: paths.source.length,
    path: (path) => commits.path(paths.source[path]!),
    pathNumber: (path) => {
      const number = commits.pathNumber(path);
      return number === -1 ? -1 : paths.numbers[number]!;
    },
    touching: (path) =>
      commits
        .touching(paths.source[path]!)
        .filter(isVisible)
        .map((commit) => starts[commit]!),
    messages: snapshotField(commits.messages, visible),
  };
}

/** Minimum length of a prefix for `find` of a commit table. */
const MIN_PREFIX_LENGTH = 7;

/** Marks `head` and its ancestors with 1. */
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

/** Changes of visible commits. Paths are renumbered in the order of their first appearance; -1 for all others. */
function visibleChanges(commits: CommitTable, visible: Uint32Array) {
  const source: number[] = [];
  const numbers = new Int32Array(commits.pathCount).fill(-1);
  const number = (path: number) => {
    if (numbers[path] === -1) numbers[path] = source.push(path) - 1;
    return numbers[path]!;
  };
  const starts = new Uint32Array(visible.length + 1);
  const [changed, oldPathsChanged]: [number[], number[]] = [[], []];
  visible.forEach((commit, i) => {
    const [paths, oldPaths] = [commits.paths(commit), commits.oldPaths(commit)];
    for (let change = 0; change < paths.length; change++) {
      changed.push(number(paths[change]!));
      oldPathsChanged.push(number(oldPaths[change]!));
    }
    starts[i + 1] = changed.length;
  });
  const paths = { source, numbers };
  return {
    paths,
    starts,
    changed: Uint32Array.from(changed),
    oldPathsChanged: Uint32Array.from(oldPathsChanged),
  };
}

/** Restricts a table to `files`, at whatever paths it has their contents; `missing` are those it lacks. */
function snapshotCode(code: CodeTable, files: Iterable<TreeFile>): { code: CodeTable; missing: TreeFile[] } {
  const { found, missing } = findContents(code, files);
  // In the order of the superset's files, so that lists of files stay sorted.
  found.sort((a, b) => a.source - b.source);
  const timesVisible = new Uint32Array(code.fileCount);
  for (const { source } of found) timesVisible[source]!++;
  const visibleFiles = renumber(timesVisible);
  const { passages, blobs } = visiblePassages(code, found);
  const fileNumbers = new Map(found.map(({ path }, file) => [path, file]));
  const source = (file: number) => found[file]!.source;
  let paths: FieldIndex | null = null;
  const fields = {
    body: snapshotField(code.field('body'), passages),
    symbol: snapshotField(code.field('symbol'), passages),
    prose: snapshotField(code.field('prose'), passages),
  };
  const snapshot: CodeTable = {
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
    passageCount: passages.source.length,
    passageFiles: (passage) => [...blobs.files[blobs.of[passage]!]!],
    passageLines: (passage) => code.passageLines(passages.source[passage]!),
    passageSymbol: (passage) => code.passageSymbol(passages.source[passage]!),
    passageText: (passage) => code.passageText(passages.source[passage]!),
    passageBytes: (first, count) => code.passageBytes(passages.source[first]!, count),
    passagesDefining: (name) => toSnapshotNumbers(code.passagesDefining(name), passages),
    field: (field) => fields[field],
    get paths() {
      paths ??= indexTexts(found.map(({ path }) => path));
      return paths;
    },
    files: snapshotField(code.files, visibleFiles),
    candidateFiles: (query) => {
      const candidates = code.candidateFiles(query);
      if (candidates === null) return null;
      const matching = new Set(candidates);
      return Array.from(found.keys()).filter((file) => matching.has(source(file)));
    },
    skippedCount: 0,
    skipped: () => {
      throw new Error('An index snapshot has no list of skipped files.');
    },
  };
  return { code: snapshot, missing };
}

/** A file of the snapshot, and a file of the superset with its content. */
interface SnapshotFile {
  readonly path: string;
  readonly source: number;
}

/** Files by content, computed once per superset. */
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
    const sameContent = byBlob.get(file.oid) ?? [];
    const source =
      sameContent.find((number) => code.filePath(number) === file.path) ??
      sameContent.find((number) => isChunkedAlike(code.filePath(number), file.path));
    if (source === undefined) missing.push(file);
    else found.push({ path: file.path, source });
  }
  return { found, missing };
}

/** True when equal contents at both paths have equal passages: the language depends on the path. */
function isChunkedAlike(path: string, other: string): boolean {
  return detectLanguage(path, '') === detectLanguage(other, '') && /\.h$/i.test(path) === /\.h$/i.test(other);
}

/** Passages of the files, and the files of each; `blobs.of` numbers contents that have passages. */
function visiblePassages(code: CodeTable, found: readonly SnapshotFile[]) {
  const visible = new Uint8Array(code.passageCount);
  const filesOf = new Map<number, number[]>();
  found.forEach(({ source }, file) => {
    const { first, count } = code.filePassages(source);
    if (count === 0) return;
    visible.fill(1, first, first + count);
    const files = filesOf.get(first);
    if (files) files.push(file);
    else filesOf.set(first, [file]);
  });
  const passages = renumber(visible);
  const files = [...filesOf].sort(([a], [b]) => a - b);
  const of = new Uint32Array(passages.source.length);
  files.forEach(([first], blob) => {
    const end = passages.starts[files[blob + 1]?.[0] ?? code.passageCount]!;
    of.fill(blob, passages.starts[first], end);
  });
  return { passages, blobs: { of, files: files.map(([, numbers]) => numbers) } };
}

/** Mapping between the numbers of a superset and a snapshot, as drawn at the top of this file. */
interface Numbering {
  /** Snapshot → superset. */
  readonly source: Uint32Array;
  /** Superset → the first number in the snapshot, and the end of the last one's. */
  readonly starts: Uint32Array;
  /** Buffers for the postings of one term. */
  readonly docs: Uint32Array;
  readonly counts: Uint8Array;
}

function renumber(timesVisible: Uint8Array | Uint32Array): Numbering {
  const starts = new Uint32Array(timesVisible.length + 1);
  for (let i = 0; i < timesVisible.length; i++) starts[i + 1] = starts[i]! + timesVisible[i]!;
  const count = starts[timesVisible.length]!;
  const source = new Uint32Array(count);
  for (let i = 0; i < timesVisible.length; i++) source.fill(i, starts[i], starts[i + 1]);
  return { source, starts, docs: new Uint32Array(count), counts: new Uint8Array(count) };
}

function toSnapshotNumbers(numbers: readonly number[], { starts }: Numbering): number[] {
  return numbers.filter((number) => starts[number + 1]! > starts[number]!).map((number) => starts[number]!);
}

/** Restricts a field to visible documents. Postings are valid until the next call. */
function snapshotField(index: FieldIndex, { source, starts, docs, counts }: Numbering): FieldIndex {
  const lengths = source.map((document) => index.lengths[document]!);
  return {
    count: source.length,
    averageLength: mean(lengths),
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

/** Builds an index over short texts, one document each. */
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
    averageLength: mean(lengths),
    lengths,
    postings: (term) => postings.get(term) ?? null,
  };
}
