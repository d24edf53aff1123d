import { isBesideTheCode } from '#evolution/fixes.ts';
import type { Signal } from './signal.ts';

/** 1 for the program itself, 0 for tests, documentation and examples: they talk of faults but seldom hold them. */
export const kind: Signal = ({ code }) =>
  Float32Array.from({ length: code.fileCount }, (_, file) => (isBesideTheCode(code.filePath(file)) ? 0 : 1));
