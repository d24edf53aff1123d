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
const MIN_SCORE = 0.8;
/** Files limit a question only where they are written as paths. */
const PATH_SPELLING = /[/.]/;

/** Reads the scope from the mentions: folders, and files that are written as paths. */
export function scopeOf(mentions: readonly Mention[], question: string): Scope {
  const paths = mentions
    .filter(({ score }) => score >= MIN_SCORE)
    .filter(
      ({ entity, span }) => entity.kind !== 'file' || PATH_SPELLING.test(question.slice(span[0], span[1])),
    )
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
