import { isNonSource } from '#evolution/fixes.ts';
import type { CodeTable } from '#memory/repository-index.ts';
import { memoizeByIdentity } from '../memoize-by-identity.ts';

/** The files of a memory that are the program, and those that lie beside it: tests, documentation, examples. */
export const partitionFiles = memoizeByIdentity((code: CodeTable) => {
  const [program, beside]: [number[], number[]] = [[], []];
  for (let file = 0; file < code.fileCount; file++) {
    (isNonSource(code.filePath(file)) ? beside : program).push(file);
  }
  return { program, beside };
});
