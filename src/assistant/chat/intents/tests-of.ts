import type { AnswerIntent } from './intent.ts';

/** Lists the tests that cover something. */
export const answerTests: AnswerIntent = async () => null;
