import { escapeMarkdown } from '../../answer/markdown.ts';
import { similarFixes } from '../../tools/similar-fixes.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { findCodeRange } from '../understand/code-range.ts';
import type { Reading } from '../understand/reading.ts';
import type { IntentAnswer } from './intent.ts';

const MAX_FIXES = 4;
/** A less certain mention does not restrict the fixes to its file. */
const MIN_SCORE = 0.6;
/** Words of the question itself; a match with a commit message would be accidental. */
const QUESTION_WORDS =
  /\b(?:how|was|were|is|did|do|does|have|has|had|we|you|i|they|somebody|anybody|someone|anyone|fix(?:ed|es|ing)?|solv(?:ed?|es|ing)|repair(?:ed|s)?|see|seen|before|earlier|previously|in the past|and|it|that|this|the|an?|been|ever|problem(?: with)?)\b/gi;

/** Lists similar earlier fixes and how long they lasted. */
export async function answerEarlierFixes(
  { mentions, question }: Reading,
  context: ToolContext,
): Promise<IntentAnswer | null> {
  const range = findCodeRange(
    mentions.filter(({ score }) => score >= MIN_SCORE),
    context,
  );
  const text = extractFault(question);
  return {
    text: await similarFixes.execute({ text, path: range?.path, limit: MAX_FIXES }, context),
    evidence: 0.7,
    understood: { key: 'earlier_fixes', params: { topic: escapeMarkdown(text) } },
  };
}

/** The question without the words that only ask; the whole question when nothing remains. */
function extractFault(text: string): string {
  const fault = text.replace(QUESTION_WORDS, ' ').replace(/\s+/g, ' ').trim();
  return /\p{L}{3}/u.test(fault) ? fault : text;
}
