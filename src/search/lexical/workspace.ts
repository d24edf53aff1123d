import type { CodeTable, CommitTable, RepositoryIndex } from '#memory/repository-index.ts';
import { Bm25fScorer } from './bm25f-scorer.ts';
import type { Query } from './parse-query.ts';
import { TermScoreCache } from './term-score-cache.ts';

/** Buffers and caches of an opened index, so that no query allocates memory in proportion to the project. */
interface SearchWorkspace {
  readonly commits: Bm25fScorer;
  readonly termScores: TermScoreCache;
  readonly history: FileHistory;
  /** Null while the index has no code. */
  readonly code: CodeWorkspace | null;
}

export interface CodeWorkspace {
  readonly passages: Bm25fScorer;
  /** Scores of passages for literals, computed while `passages` is still in use. */
  readonly literals: Bm25fScorer;
  /** Scores of passages for each zone of the query. */
  readonly zones: Record<keyof Query['zones'], Bm25fScorer>;
  readonly files: Bm25fScorer;
  readonly termScores: TermScoreCache;
  /** The passages of file f are firstPassage[f] to firstPassage[f] + passageCount[f] - 1. */
  readonly firstPassage: Uint32Array;
  readonly passageCount: Uint32Array;
}

/** Commit history by current file. Bulk commits, beyond MAX_FILES_PER_COMMIT, have no files here. */
export interface FileHistory {
  /** Files that commit c touched: files[starts[c]] up to, not including, files[starts[c + 1]]. */
  readonly starts: Uint32Array;
  readonly files: Uint32Array;
  /** Total length in terms of the messages of all commits that touched each file. */
  readonly messageLengths: Uint32Array;
  readonly averageMessageLength: number;
  /** Unix time of each file's newest commit; NaN where none is known. */
  readonly lastChange: Float64Array;
}

/** Commits of more files are bulk changes (a mass rename, a new formatter) and no evidence about single files. */
const MAX_FILES_PER_COMMIT = 100;

/** Size of the term score cache per thread: a share of the index size, but at least this. */
const MIN_CACHE_BYTES = 8e6;
const CACHE_SHARE = 0.5;

const workspaces = new WeakMap<RepositoryIndex, SearchWorkspace>();

/** The workspace of an index, created by its first query in this thread and released with the index. */
export function workspaceOf(index: RepositoryIndex): SearchWorkspace {
  let workspace = workspaces.get(index);
  if (!workspace) {
    const termScores = new TermScoreCache(Math.max(MIN_CACHE_BYTES, index.bytes * CACHE_SHARE));
    workspace = {
      commits: new Bm25fScorer(index.commits.count),
      termScores,
      history: buildFileHistory(index.commits, index.code),
      code: index.code && createCodeWorkspace(index.code, termScores),
    };
    workspaces.set(index, workspace);
  }
  return workspace;
}

function createCodeWorkspace(code: CodeTable, termScores: TermScoreCache): CodeWorkspace {
  const firstPassage = new Uint32Array(code.fileCount);
  const passageCount = new Uint32Array(code.fileCount);
  for (let file = 0; file < code.fileCount; file++) {
    const { first, count } = code.filePassages(file);
    firstPassage[file] = first;
    passageCount[file] = count;
  }
  return {
    passages: new Bm25fScorer(code.passageCount),
    literals: new Bm25fScorer(code.passageCount),
    zones: {
      title: new Bm25fScorer(code.passageCount),
      codeBlocks: new Bm25fScorer(code.passageCount),
      inlineCode: new Bm25fScorer(code.passageCount),
      prose: new Bm25fScorer(code.passageCount),
    },
    files: new Bm25fScorer(code.fileCount),
    termScores,
    firstPassage,
    passageCount,
  };
}

/** Walks the commits newest first, so that a rename maps the old path to the current file. */
function buildFileHistory(commits: CommitTable, code: CodeTable | null): FileHistory {
  const fileCount = code?.fileCount ?? 0;
  const fileOfPath = currentFileByPath(commits, code);
  const starts = new Uint32Array(commits.count + 1);
  const touched: number[] = [];
  const messageLengths = new Uint32Array(fileCount);
  const lastChange = new Float64Array(fileCount).fill(Number.NaN);
  for (let commit = 0; commit < commits.count; commit++) {
    const paths = commits.paths(commit);
    const oldPaths = commits.oldPaths(commit);
    paths.forEach((path, i) => {
      const file = fileOfPath[path]!;
      if (file < 0) return;
      if (fileOfPath[oldPaths[i]!] === -1) fileOfPath[oldPaths[i]!] = file;
      if (paths.length > MAX_FILES_PER_COMMIT) return;
      touched.push(file);
      messageLengths[file]! += commits.messages.lengths[commit]!;
      if (Number.isNaN(lastChange[file])) lastChange[file] = commits.time(commit);
    });
    starts[commit + 1] = touched.length;
  }
  const total = messageLengths.reduce((sum, length) => sum + length, 0);
  return {
    starts,
    files: Uint32Array.from(touched),
    messageLengths,
    averageMessageLength: total / (fileCount || 1),
    lastChange,
  };
}

/** Current file number of every path in the history; -1 for deleted ones. */
function currentFileByPath(commits: CommitTable, code: CodeTable | null): Int32Array {
  const fileOfPath = new Int32Array(commits.pathCount).fill(-1);
  for (let file = 0; file < (code?.fileCount ?? 0); file++) {
    const path = commits.pathNumber(code!.filePath(file));
    if (path >= 0) fileOfPath[path] = file;
  }
  return fileOfPath;
}
