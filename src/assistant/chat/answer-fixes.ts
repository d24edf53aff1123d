import { similarFixes } from '../tools/similar-fixes.ts';
import type { ToolContext } from '../tools/tool.ts';
import { findCodeRange } from './code-range.ts';
import type { Question } from './question.ts';
import { explicitTargets } from './targets.ts';

const MAX_FIXES = 4;
/** Words of the question itself; a match with a commit message would be accidental. */
const QUESTION_WORDS =
  /\b(?:how|was|were|is|did|do|does|have|has|had|we|you|i|they|somebody|anybody|someone|anyone|fix(?:ed|es|ing)?|solv(?:ed?|es|ing)|repair(?:ed|s)?|see|seen|before|earlier|previously|in the past|and|it|that|this|the|an?|been|ever|problem(?: with)?)\b/gi;

/** Lists similar earlier fixes and how long they lasted. */
export async function answerFixes({ text, targets }: Question, context: ToolContext): Promise<string> {
  return await similarFixes.execute(
    {
      text: extractFault(text),
      path: findCodeRange(explicitTargets(targets), context)?.path,
      limit: MAX_FIXES,
    },
    context,
  );
}

/** The question without the words that only ask; the whole question when nothing remains. */
function extractFault(text: string): string {
  const fault = text.replace(QUESTION_WORDS, ' ').replace(/\s+/g, ' ').trim();
  return /\p{L}{3}/u.test(fault) ? fault : text;
}
