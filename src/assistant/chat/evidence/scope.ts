import type { Mention } from '../understand/entities.ts';
import { isBelow } from './path-kinds.ts';

/** Part of the repository that a question is limited to, by the files and folders that it names. */
export interface Scope {
  /** Paths of the files and folders; empty for the whole repository. */
  paths: string[];
  /** True for paths in the scope, and for all without one. */
  has(path: string): boolean;
}

/** Certainty below which a folder is no limit. */
const MIN_SCORE = 0.5;

/** Reads the scope from the mentions; files with a line are subjects, not limits. */
export function scopeOf(mentions: readonly Mention[]): Scope {
  const paths = mentions
    .filter(({ score }) => score >= MIN_SCORE)
    .map(({ entity }) => entity)
    .filter((entity) => entity.kind === 'folder' || entity.kind === 'file')
    .map(({ path }) => path);
  return { paths, has: (path) => paths.length === 0 || paths.some((one) => isBelow(path, one)) };
}

/** Items in the scope; all of them where none is. */
export function preferScope<T>(items: readonly T[], scope: Scope, pathOf: (item: T) => string): T[] {
  const inside = items.filter((item) => scope.has(pathOf(item)));
  return inside.length > 0 ? inside : [...items];
}
