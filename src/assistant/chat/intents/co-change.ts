import { coChanged } from '../../tools/co-changed.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { findCodeRange } from '../understand/code-range.ts';
import type { Reading } from '../understand/reading.ts';
import type { IntentAnswer } from './intent.ts';

const MAX_ITEMS = 10;

/** Lists the files that change together with a file. */
export async function answerCoChange(
  { mentions }: Reading,
  context: ToolContext,
): Promise<IntentAnswer | null> {
  const range = findCodeRange(mentions, context);
  if (!range) return null;
  return {
    text: await coChanged.execute({ path: range.path, limit: MAX_ITEMS }, context),
    evidence: 0.8,
    understood: { key: 'co_change', params: { name: range.name } },
  };
}
