import type { ToolContext } from '../../tools/tool.ts';
import { type CodeRange, findCodeRange } from '../understand/code-range.ts';
import type { Reading } from '../understand/reading.ts';
import { historyTopic } from './history-topic.ts';
import { TopicScorer } from './topic-scorer.ts';

/** File or definition that a question is about. */
export interface MainRange extends CodeRange {
  /** Certainty, 0 to 1: the share of the question's words that name it, and the certainty of the mention. */
  score: number;
}

/** A less certain mention needs more of the question's words. */
const SURE = 0.9;
const UNSURE_FACTOR = 0.8;

/** File or definition whose name is most of what the question says; null where it says more, or names none. */
export function findMainRange(reading: Reading, context: ToolContext, minShare = 0.6): MainRange | null {
  const scorer = new TopicScorer(historyTopic(reading), context);
  const named = reading.mentions.filter(({ entity }) =>
    ['file', 'symbol', 'deleted_path'].includes(entity.kind),
  );
  const [best] = named.toSorted(
    (a, b) => b.score - a.score || rankKind(b.entity.kind) - rankKind(a.entity.kind),
  );
  const own = named.filter((mention) => mention === best || mention.score >= SURE);
  const texts = own.map(({ span: [from, to] }) => ({ text: reading.question.slice(from, to), strength: 1 }));
  const share = scorer.words.length === 0 ? 1 : scorer.cover(texts);
  if (!best || share < minShare) return null;
  const range = findCodeRange([best], context);
  return range && { ...range, score: best.score >= SURE ? 0.9 * share : UNSURE_FACTOR * best.score * share };
}

/** A definition is more specific than the file that is named with it. */
function rankKind(kind: string): number {
  return kind === 'symbol' ? 1 : 0;
}
