import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import type { CodeTable } from '#memory/repository-index.ts';
import { isNonSource } from './fixes.ts';

/** Files of an index: source code, and non-source files such as tests, documentation and examples. */
export const partitionFiles = memoizeByIdentity((code: CodeTable) => {
  const [source, nonSource]: [number[], number[]] = [[], []];
  for (let file = 0; file < code.fileCount; file++) {
    (isNonSource(code.filePath(file)) ? nonSource : source).push(file);
  }
  return { source, nonSource };
});
