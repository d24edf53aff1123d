import type { AnswerIntent } from './intent.ts';

/** Lists fixes or additions between two revisions, versions or dates. */
export const answerFixedInRange: AnswerIntent = async () => null;
