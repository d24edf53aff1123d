import { filesMentioned, mentionsOf } from '../query/path-mentions.ts';
import type { Signal } from './signal.ts';

/** Paths and dotted modules that the text names: one a mention, shared among the files that it may mean. */
export const mentioned: Signal = ({ code, query }) => {
  const values = new Float32Array(code.fileCount);
  for (const mention of mentionsOf(query.text)) {
    const files = filesMentioned(code, mention);
    for (const file of files) values[file]! += 1 / files.length;
  }
  return values;
};
