import type { Sentence } from '#contract/common.ts';
import { AppError } from '#contract/errors.ts';
import { createSentence } from '#contract/sentence.ts';

/** User-facing reason of a failed run: the message of an `AppError`, else a generic one. */
export function failureMessage(error: unknown): Sentence {
  return error instanceof AppError
    ? createSentence(`errors.${error.messageKey}`, error.params)
    : createSentence('errors.indexing_failed');
}
