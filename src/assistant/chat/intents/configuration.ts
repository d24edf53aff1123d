import type { AnswerIntent } from './intent.ts';

/** Finds settings and their defaults. */
export const answerConfiguration: AnswerIntent = async () => null;
