import type { RepositoryIndex } from '#memory/repository-index.ts';
import { countDecisions } from './complexity.ts';
import { CHANGE_KINDS, type HistoryFacts } from './history-facts.ts';
import type { ScopedChanges } from './scoped-changes.ts';

/** A present file of code with its changes in a scope. */
export interface FileChanges {
  path: string;
  changes: number;
  /** Of them, fixes of faults. */
  fixes: number;
  /** Number of the newest commit, and of the newest fix; -1 for none. */
  last: number;
  lastFix: number;
  lines: number;
  /** Branches and loops. */
  decisions: number;
}

/** Measures the code files that changed in a scope, in no particular order. */
export function measureFileChanges(
  { code }: RepositoryIndex,
  { kinds, paths, isCode }: HistoryFacts,
  changes: ScopedChanges,
): FileChanges[] {
  const files = new Map<number, FileChanges>();
  const decisions = code && countDecisions(code);
  changes.commits.forEach((commit, position) => {
    for (const path of changes.files(position)) {
      if (isCode[path] === 0) continue;
      let file = files.get(path);
      if (!file) {
        const number = code?.fileNumber(paths[path]!) ?? -1;
        const known = number >= 0;
        const size = {
          lines: known ? code!.fileLines(number) : 0,
          decisions: known ? decisions![number]! : 0,
        };
        file = { path: paths[path]!, changes: 0, fixes: 0, last: commit, lastFix: -1, ...size };
        files.set(path, file);
      }
      file.changes++;
      file.last = commit;
      if (kinds[commit] !== CHANGE_KINDS.fix) continue;
      file.fixes++;
      file.lastFix = commit;
    }
  });
  return [...files.values()];
}

/** Files of most changes × complexity, first. A file without branches is no hotspot, however often it changes. */
export function rankHotspots(files: readonly FileChanges[]): FileChanges[] {
  const score = (file: FileChanges) => file.changes * file.decisions;
  return files
    .filter((file) => score(file) > 0)
    .sort((a, b) => score(b) - score(a) || (a.path < b.path ? -1 : 1));
}

/** The few largest of many numbers: how many they are, and their share of the sum. */
interface Concentration {
  top: number;
  of: number;
  /** 0 to 1. */
  share: number;
}

/** Share that the sentence about a few files must reach. */
const TARGET_SHARE = 1 / 3;

/** Finds the smallest number of the largest values that make up a third of the sum; null without any. */
export function findConcentration(values: readonly number[]): Concentration | null {
  const sorted = values.filter((value) => value > 0).sort((a, b) => b - a);
  const total = sorted.reduce((sum, value) => sum + value, 0);
  let sum = 0;
  for (const [i, value] of sorted.entries()) {
    sum += value;
    if (sum >= total * TARGET_SHARE) return { top: i + 1, of: sorted.length, share: sum / total };
  }
  return null;
}
