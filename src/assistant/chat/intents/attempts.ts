import type { AnswerIntent } from './intent.ts';

/** Lists earlier attempts at a topic, with reverts. */
export const answerAttempts: AnswerIntent = async () => null;
