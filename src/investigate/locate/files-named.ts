import type { CodeTable } from '#memory/repository-index.ts';
import { terms } from '#memory/tokens.ts';

/** Files with the same name that are compared. */
const MAX_SAME_NAME_FILES = 200;

/** Files whose path contains all terms of this name. */
export function filesNamed(code: CodeTable, name: string): number[] {
  const lists = [...new Set(terms(name))].map(
    (term) => code.paths.postings(term)?.docs.slice() ?? new Uint32Array(),
  );
  lists.sort((a, b) => a.length - b.length);
  const [rarest, ...others] = lists;
  if (!rarest || rarest.length > MAX_SAME_NAME_FILES * 10) return [];
  return Array.from(rarest)
    .filter((file) => others.every((docs) => docs.length > MAX_SAME_NAME_FILES * 10 || docs.includes(file)))
    .slice(0, MAX_SAME_NAME_FILES);
}
