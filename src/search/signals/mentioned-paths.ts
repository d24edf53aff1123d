import { findPathMentions, resolvePathMention } from '../lexical/path-mentions.ts';
import type { Signal } from './signal.ts';

/** Paths and dotted modules in the text: 1 per mention, shared among the files that it may refer to. */
export const mentionedPaths: Signal = ({ code, query }) => {
  const values = new Float32Array(code.fileCount);
  for (const mention of findPathMentions(query.text)) {
    const files = resolvePathMention(code, mention);
    for (const file of files) values[file]! += 1 / files.length;
  }
  return values;
};
