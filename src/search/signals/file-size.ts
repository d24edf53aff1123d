import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import type { CodeTable } from '#memory/repository-index.ts';
import type { Signal } from './signal.ts';

/** Logarithm of the file's lines: more code contains more faults. */
export const fileSize: Signal = ({ code }) => measureSize(code);

const measureSize = memoizeByIdentity((code: CodeTable) =>
  Float32Array.from({ length: code.fileCount }, (_, file) => Math.log1p(code.fileLines(file))),
);
