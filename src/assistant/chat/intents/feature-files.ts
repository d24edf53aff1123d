import type { AnswerIntent } from './intent.ts';

/** Lists the files that form a feature. */
export const answerFeatureFiles: AnswerIntent = async () => null;
