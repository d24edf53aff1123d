import { indexedPatch } from '#evolution/read-diffs.ts';
import { openChangeIndexIfUsable } from '#memory/changes/change-index.ts';
import { commitsTouching } from '../../tools/file-commits.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { findFirstAddition } from './first-addition.ts';
import { findRangeChanges } from './range-history.ts';

/** A line of the indexed revision. */
interface CodeLine {
  path: string;
  line: number;
  /** Without the space around it. */
  text: string;
}

const INFORMATIVE_LINE = /(?:\w\W*){10}/;
const [LF, MINUS] = [10, 45];

/**
 * Finds the commit that wrote a line. Where that one only moved it, or came with the file, which may be a copy, finds the first of
 * the history that added its text. Null for short lines that were moved, and without a change index.
 */
export async function findLineOrigin(
  { path, line, text }: CodeLine,
  context: ToolContext,
): Promise<number | null> {
  if (text === '') return null;
  const [own] = await findRangeChanges({ path, lines: [line, line] }, 1, context);
  const isFirst = own && commitsTouching(path, context).at(-1) === own.commit;
  if (!own || isFirst || removesLine(own.commit, text, context)) {
    const first = INFORMATIVE_LINE.test(text) ? await findFirstAddition(text, context) : null;
    return first && context.index.commits.find(first.hash);
  }
  return own.isFormatting ? null : own.commit;
}

/** True when the patch of a commit removes a line with the text, as far as it is indexed. */
function removesLine(commit: number, text: string, { index, hunks }: ToolContext): boolean {
  const changes = openChangeIndexIfUsable(hunks);
  const patch = changes && indexedPatch(changes, index.commits.oid(commit));
  if (!patch) return false;
  for (let at = patch.indexOf(text); at >= 0; at = patch.indexOf(text, at + 1)) {
    const start = patch.lastIndexOf(LF, at) + 1;
    const end = patch.indexOf(LF, at);
    const row = patch.toString('utf8', start, end < 0 ? patch.length : end);
    if (patch[start] === MINUS && row.slice(1).trim() === text) return true;
  }
  return false;
}
