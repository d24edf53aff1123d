import { similarFixes } from '../../tools/similar-fixes.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { findCodeRange } from '../code-range.ts';
import type { Question } from '../question.ts';
import { explicitTargets } from '../targets.ts';

const MAX_FIXES = 4;
/** Words with which people ask for an earlier fix; they stand in its message by chance. */
const QUESTION_WORDS =
  /\b(?:how|was|were|is|did|do|does|have|has|had|we|you|i|they|somebody|anybody|someone|anyone|fix(?:ed|es|ing)?|solv(?:ed?|es|ing)|repair(?:ed|s)?|see|seen|before|earlier|previously|in the past|and|it|that|this|the|an?|been|ever|problem(?: with)?)\b/gi;

/** How the like of this was fixed before, and whether the fixes held. */
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

/** What is left of the question: the fault. All of it where nothing is left. */
function extractFault(text: string): string {
  const fault = text.replace(QUESTION_WORDS, ' ').replace(/\s+/g, ' ').trim();
  return /\p{L}{3}/u.test(fault) ? fault : text;
}
