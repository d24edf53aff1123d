import { resolvePathMention, findPathMentions } from '../query/path-mentions.ts';
import type { Signal } from './signal.ts';

/** Paths and dotted modules that the text names: one a mention, shared among the files that it may mean. */
export const mentionedPaths: Signal = ({ code, query }) => {
  const values = new Float32Array(code.fileCount);
  for (const mention of findPathMentions(query.text)) {
    const files = resolvePathMention(code, mention);
    for (const file of files) values[file]! += 1 / files.length;
  }
  return values;
};
