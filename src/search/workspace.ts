import type { CodeTable, CommitTable, RepositoryIndex } from '#memory/repository-index.ts';
import { Scorer } from './scoring/bm25f-scorer.ts';
import { TermWorths } from './scoring/term-score-cache.ts';

/** What ranking keeps beside an opened memory, so that a query allocates nothing that grows with the project. */
export interface Workspace {
  readonly commits: Scorer;
  readonly worths: TermWorths;
  readonly history: History;
  /** Null as long as the memory has no code. */
  readonly code: CodeWorkspace | null;
}

export interface CodeWorkspace {
  readonly passages: Scorer;
  /** A second one over passages, for what is scored while the first one's result is still needed. */
  readonly parts: Scorer;
  /** Over passages too: one for each view of the text. */
  readonly views: Record<'title' | 'blocks' | 'quoted' | 'prose', Scorer>;
  readonly files: Scorer;
  readonly worths: TermWorths;
  /** Passages of file f are firstPassage[f] to firstPassage[f] + passageCount[f] - 1. */
  readonly firstPassage: Uint32Array;
  readonly passageCount: Uint32Array;
}

/** The commits as seen from the files of today. Commits that touched very many files tell nothing and have none. */
export interface History {
  /** Files that commit c touched: files[starts[c]] up to, without, files[starts[c + 1]]. */
  readonly starts: Uint32Array;
  readonly files: Uint32Array;
  /** Length in terms of each file's story: the messages of all commits that touched it. */
  readonly storyLengths: Uint32Array;
  readonly averageStory: number;
  /** Seconds since 1970 of each file's newest commit; NaN where none is known. */
  readonly lastChange: Float64Array;
}

/** Files beyond which a commit is a sweep (a rename of everything, a new formatter) and not evidence. */
const SWEEP = 100;

/** What a thread keeps of the terms of earlier questions, in bytes: a share of what the memory has, or this. */
const LEAST_WORTHS = 8e6;
const WORTHS_SHARE = 0.5;

const workspaces = new WeakMap<RepositoryIndex, Workspace>();

/** The workspace of a memory, made at its first query in this thread and gone with it. */
export function workspaceOf(memory: RepositoryIndex): Workspace {
  let workspace = workspaces.get(memory);
  if (!workspace) {
    const worths = new TermWorths(Math.max(LEAST_WORTHS, memory.bytes * WORTHS_SHARE));
    workspace = {
      commits: new Scorer(memory.commits.count),
      worths,
      history: readHistory(memory.commits, memory.code),
      code: memory.code && codeWorkspace(memory.code, worths),
    };
    workspaces.set(memory, workspace);
  }
  return workspace;
}

function codeWorkspace(code: CodeTable, worths: TermWorths): CodeWorkspace {
  const firstPassage = new Uint32Array(code.fileCount);
  const passageCount = new Uint32Array(code.fileCount);
  for (let file = 0; file < code.fileCount; file++) {
    const { first, count } = code.filePassages(file);
    firstPassage[file] = first;
    passageCount[file] = count;
  }
  return {
    passages: new Scorer(code.passageCount),
    parts: new Scorer(code.passageCount),
    views: {
      title: new Scorer(code.passageCount),
      blocks: new Scorer(code.passageCount),
      quoted: new Scorer(code.passageCount),
      prose: new Scorer(code.passageCount),
    },
    files: new Scorer(code.fileCount),
    worths,
    firstPassage,
    passageCount,
  };
}

/** Walks the commits from new to old, so that a rename tells which file the older name stands for. */
function readHistory(commits: CommitTable, code: CodeTable | null): History {
  const fileCount = code?.fileCount ?? 0;
  const fileOfPath = pathsOfToday(commits, code);
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
      if (paths.length > SWEEP) return;
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
    storyLengths,
    averageStory: total / (fileCount || 1),
    lastChange,
  };
}

/** File number of every path in the history; -1 for what is gone. */
function pathsOfToday(commits: CommitTable, code: CodeTable | null): Int32Array {
  const fileOfPath = new Int32Array(commits.pathCount).fill(-1);
  for (let file = 0; file < (code?.fileCount ?? 0); file++) {
    const path = commits.pathNumber(code!.filePath(file));
    if (path >= 0) fileOfPath[path] = file;
  }
  return fileOfPath;
}
