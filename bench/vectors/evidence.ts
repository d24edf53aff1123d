import type { CodeTable, CommitTable } from '../../src/memory/repository-index.ts';
import { terms } from '../../src/memory/tokens.ts';
import { SparseBuilder, type SparseMatrix } from './sparse.ts';

/** Files beyond which a commit says nothing of how they belong together. */
const SWEEP = 30;

/** Seconds after which a change together counts 1/e: three years. */
const AGEING = 3 * 365 * 86_400;

/** A word in more than this share of the files tells nothing. */
const COMMON = 0.3;

/** Weight of a word relative to a change: decisive only for files that seldom changed. */
const WORD_WEIGHT = 0.05;

/**
 * Evidence of files that belong together: a row a file, a column for every commit that changed several of them,
 * and for every word of their paths and of the names that they define.
 */
export function readEvidence(code: CodeTable, commits: CommitTable): SparseMatrix {
  const builder = new SparseBuilder();
  addChanges(builder, code, commits);
  addWords(builder, code);
  return builder.finish(code.fileCount);
}

/** Commits from new to old, so that a rename tells which file the older name stands for. */
function addChanges(builder: SparseBuilder, code: CodeTable, commits: CommitTable): void {
  const fileOfPath = new Int32Array(commits.pathCount).fill(-1);
  for (let file = 0; file < code.fileCount; file++) {
    const path = commits.pathNumber(code.filePath(file));
    if (path >= 0) fileOfPath[path] = file;
  }
  const newest = newestTime(commits);
  for (let commit = 0; commit < commits.count; commit++) {
    const [paths, oldPaths] = [commits.paths(commit), commits.oldPaths(commit)];
    const files = new Set<number>();
    paths.forEach((path, index) => {
      const file = fileOfPath[path]!;
      if (file === -1) return;
      if (fileOfPath[oldPaths[index]!] === -1) fileOfPath[oldPaths[index]!] = file;
      files.add(file);
    });
    if (files.size < 2 || files.size > SWEEP) continue;
    const age = newest - (commits.time(commit) || newest);
    // The square root of a change's weight, since inner products multiply two of them.
    builder.add(files, Math.exp(-age / AGEING / 2) * (files.size - 1) ** -0.25);
  }
}

function newestTime(commits: CommitTable): number {
  let newest = 0;
  for (let commit = 0; commit < commits.count; commit++) newest = Math.max(newest, commits.time(commit) || 0);
  return newest;
}

function addWords(builder: SparseBuilder, code: CodeTable): void {
  const filesOf = new Map<string, Set<number>>();
  const addText = (file: number, text: string) => {
    for (const term of terms(text)) {
      const files = filesOf.get(term);
      if (files) files.add(file);
      else filesOf.set(term, new Set([file]));
    }
  };
  for (let file = 0; file < code.fileCount; file++) {
    addText(file, code.filePath(file));
    const { first, count } = code.filePassages(file);
    for (let passage = first; passage < first + count; passage++)
      addText(file, code.passageSymbol(passage) ?? '');
  }
  for (const files of filesOf.values()) {
    if (files.size < 2 || files.size > COMMON * code.fileCount) continue;
    builder.add(files, WORD_WEIGHT * Math.log(1 + code.fileCount / files.size));
  }
}
