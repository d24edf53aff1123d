import type { CodeTable, CommitTable, RepositoryIndex } from '#memory/repository-index.ts';
import { Bm25fScorer } from './scoring/bm25f-scorer.ts';
import { TermScoreCache } from './scoring/term-score-cache.ts';

/** What ranking keeps beside an opened memory, so that a query allocates nothing that grows with the project. */
export interface SearchWorkspace {
  readonly commits: Bm25fScorer;
  readonly termScores: TermScoreCache;
  readonly history: FileHistory;
  /** Null as long as the memory has no code. */
  readonly code: CodeWorkspace | null;
}

export interface CodeWorkspace {
  readonly passages: Bm25fScorer;
  /** A second one over passages, for what is scored while the first one's result is still needed. */
  readonly literals: Bm25fScorer;
  /** Over passages too: one for each view of the text. */
  readonly zones: Record<'title' | 'blocks' | 'quoted' | 'prose', Bm25fScorer>;
  readonly files: Bm25fScorer;
  readonly termScores: TermScoreCache;
  /** Passages of file f are firstPassage[f] to firstPassage[f] + passageCount[f] - 1. */
  readonly firstPassage: Uint32Array;
  readonly passageCount: Uint32Array;
}

/** The commits as seen from the files of today. Commits that touched very many files tell nothing and have none. */
export interface FileHistory {
  /** Files that commit c touched: files[starts[c]] up to, without, files[starts[c + 1]]. */
  readonly starts: Uint32Array;
  readonly files: Uint32Array;
  /** Length in terms of each file's story: the messages of all commits that touched it. */
  readonly messageLengths: Uint32Array;
  readonly averageMessageLength: number;
  /** Seconds since 1970 of each file's newest commit; NaN where none is known. */
  readonly lastChange: Float64Array;
}

/** Files beyond which a commit is a sweep (a rename of everything, a new formatter) and not evidence. */
const MAX_FILES_PER_COMMIT = 100;

/** What a thread keeps of the terms of earlier questions, in bytes: a share of what the memory has, or this. */
const MIN_CACHE_BYTES = 8e6;
const CACHE_SHARE = 0.5;

const workspaces = new WeakMap<RepositoryIndex, SearchWorkspace>();

/** The workspace of a memory, made at its first query in this thread and gone with it. */
export function workspaceOf(memory: RepositoryIndex): SearchWorkspace {
  let workspace = workspaces.get(memory);
  if (!workspace) {
    const worths = new TermScoreCache(Math.max(MIN_CACHE_BYTES, memory.bytes * CACHE_SHARE));
    workspace = {
      commits: new Bm25fScorer(memory.commits.count),
      termScores: worths,
      history: buildFileHistory(memory.commits, memory.code),
      code: memory.code && createCodeWorkspace(memory.code, worths),
    };
    workspaces.set(memory, workspace);
  }
  return workspace;
}

function createCodeWorkspace(code: CodeTable, worths: TermScoreCache): CodeWorkspace {
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
      blocks: new Bm25fScorer(code.passageCount),
      quoted: new Bm25fScorer(code.passageCount),
      prose: new Bm25fScorer(code.passageCount),
    },
    files: new Bm25fScorer(code.fileCount),
    termScores: worths,
    firstPassage,
    passageCount,
  };
}

/** Walks the commits from new to old, so that a rename tells which file the older name stands for. */
function buildFileHistory(commits: CommitTable, code: CodeTable | null): FileHistory {
  const fileCount = code?.fileCount ?? 0;
  const fileOfPath = currentFileByPath(commits, code);
  const starts = new Uint32Array(commits.count + 1);
  const touched: number[] = [];
  const storyLengths = new Uint32Array(fileCount);
  const lastChange = new Float64Array(fileCount).fill(Number.NaN);
  for (let commit = 0; commit < commits.count; commit++) {
    const paths = commits.paths(commit);
    const oldPaths = commits.oldPaths(commit);
    paths.forEach((path, index) => {
      const file = fileOfPath[path]!;
      if (file < 0) return;
      if (fileOfPath[oldPaths[index]!] === -1) fileOfPath[oldPaths[index]!] = file;
      if (paths.length > MAX_FILES_PER_COMMIT) return;
      touched.push(file);
      storyLengths[file]! += commits.messages.lengths[commit]!;
      if (Number.isNaN(lastChange[file])) lastChange[file] = commits.time(commit);
    });
    starts[commit + 1] = touched.length;
  }
  const total = storyLengths.reduce((sum, length) => sum + length, 0);
  return {
    starts,
    files: Uint32Array.from(touched),
    messageLengths: storyLengths,
    averageMessageLength: total / (fileCount || 1),
    lastChange,
  };
}

/** File number of every path in the history; -1 for what is gone. */
function currentFileByPath(commits: CommitTable, code: CodeTable | null): Int32Array {
  const fileOfPath = new Int32Array(commits.pathCount).fill(-1);
  for (let file = 0; file < (code?.fileCount ?? 0); file++) {
    const path = commits.pathNumber(code!.filePath(file));
    if (path >= 0) fileOfPath[path] = file;
  }
  return fileOfPath;
}
