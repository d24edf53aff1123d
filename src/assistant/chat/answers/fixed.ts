import { similarFixes } from '../../tools/similar-fixes.ts';
import type { ToolContext } from '../../tools/tool.ts';
import type { Question } from '../question.ts';
import { subjectOf } from '../subject.ts';
import { sureTargets } from '../targets.ts';

const SHOWN = 4;

/** How the like of this was fixed before, and whether the fixes held. */
export async function answerFixed({ text, targets }: Question, context: ToolContext): Promise<string> {
  return await similarFixes.execute(
    { text, path: subjectOf(sureTargets(targets), context)?.path, limit: SHOWN },
    context,
  );
}
