import { isBesideTheCode } from '#evolution/fixes.ts';
import type { CodeTable } from '#memory/repository-index.ts';
import { onceFor } from '../memoize-by-identity.ts';

/** The files of a memory that are the program, and those that lie beside it: tests, documentation, examples. */
export const sortFiles = onceFor((code: CodeTable) => {
  const [program, beside]: [number[], number[]] = [[], []];
  for (let file = 0; file < code.fileCount; file++) {
    (isBesideTheCode(code.filePath(file)) ? beside : program).push(file);
  }
  return { program, beside };
});
