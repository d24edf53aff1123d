import type { ToolContext } from '../../tools/tool.ts';
import { classifyIntent } from './cues.ts';
import type { Mention } from './entities.ts';
import { linkMentions } from './link.ts';
import type { Intent, Reading } from './reading.ts';

/** A question that refers to the one before it. */
const FOLLOW_UP =
  /\b(?:it|its|this|that|them|they|there|those|these)\b|^(?:and|or|but|so|what about|how about|y|et|und)\b/i;

/**
 * Readings of a question, likeliest first. Missing parts (`and when?`) are taken from the earlier questions, newest first.
 */
export async function readQuestion(
  text: string,
  earlier: string[],
  context: ToolContext,
): Promise<Reading[]> {
  const first = await readFirst(text, earlier, context);
  if (first.intent === 'search') return [first];
  return [first, { ...first, intent: 'search', prior: 0.2 }];
}

async function readFirst(text: string, earlier: string[], context: ToolContext): Promise<Reading> {
  const intent = classifyIntent(text);
  const mentions = await linkMentions(text, context);
  const [before, ...older] = earlier;
  if (before !== undefined && FOLLOW_UP.test(text.trim()) && (mentions.length === 0 || intent === null)) {
    const last = await readFirst(before, older, context);
    const all = mentions.length > 0 ? mentions : last.mentions;
    const own = resolveIntent(intent ?? (mentions.length > 0 ? last.intent : null), all);
    return {
      ...last,
      intent: own,
      mentions: all,
      question: `${text}\n${before}`,
      topic: `${text}\n${before}`,
    };
  }
  return { intent: resolveIntent(intent, mentions), mentions, topic: text, question: text, prior: 0.8 };
}

/** A question about one commit is answered by that commit, unless it asks for changes since. */
function resolveIntent(intent: Intent | null, mentions: Mention[]): Intent {
  if (mentions.some(({ entity }) => entity.kind === 'commit') && intent !== 'changes') return 'commit';
  return intent ?? 'search';
}
