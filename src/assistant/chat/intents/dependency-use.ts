import type { AnswerIntent } from './intent.ts';

/** Lists the uses of a dependency. */
export const answerDependencyUse: AnswerIntent = async () => null;
