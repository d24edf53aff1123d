import type { AnswerIntent } from './intent.ts';

/** Finds the commit that removed a path, a symbol or a word. */
export const answerRemoved: AnswerIntent = async () => null;
