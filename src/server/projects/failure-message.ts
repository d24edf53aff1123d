import type { Sentence } from '#contract/common.ts';
import { AppError } from '#contract/errors.ts';

/** User-facing reason of a failed run: the message of an `AppError`, else a generic one. */
export function failureMessage(error: unknown): Sentence {
  if (error instanceof AppError) {
    return { code: `projects.ingest.${error.reason ?? error.code}`, params: {}, text: error.message };
  }
  return {
    code: 'projects.ingest.internal',
    params: {},
    text: 'Something went wrong on this server while reading the repository. Try again; the log has the details.',
  };
}
