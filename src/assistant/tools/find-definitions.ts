import { isNonSource } from '#evolution/fixes.ts';
import type { CodeTable } from '#memory/repository-index.ts';

/** A name with the passages that define it. */
export interface DefinedName {
  name: string;
  passages: number[];
}

/** Finds the passages that define a name, exact spelling first, source code before tests; null for none. */
export function findDefinitions(name: string, code: CodeTable): DefinedName | null {
  const found = code.passagesDefining(name);
  if (found.length === 0) return null;
  const last = name.split('.').at(-1);
  const same = found.filter((passage) => {
    const full = code.passageSymbol(passage);
    return full === name || full?.split('.').at(-1) === last;
  });
  const sourceOrder = (passage: number) => Number(isNonSource(code.filePath(code.passageFiles(passage)[0]!)));
  const passages = (same.length > 0 ? same : found).toSorted(
    (a, b) => sourceOrder(a) - sourceOrder(b) || a - b,
  );
  return { name, passages };
}
