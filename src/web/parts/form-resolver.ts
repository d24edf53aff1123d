import { zodResolver } from '@hookform/resolvers/zod';
import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form';
import type { z } from 'zod';
import { toFieldMessage } from '#contract/field-message.ts';
import { translateError } from '../api.ts';

/** Validates a form by a schema of the contract, with messages in the reader's language. */
export function formResolver<I extends FieldValues, O>(schema: z.ZodType<O, I>): Resolver<I, unknown, O> {
  const resolve = zodResolver(schema, {
    error: (issue) => {
      const { key, params } = toFieldMessage(issue);
      return translateError(key, params);
    },
  });
  return async (values, context, options) => {
    const result = await resolve(values, context, options);
    translateMessages(result.errors);
    return result;
  };
}

/** Replaces messages that are keys: a schema that names one gives it as its message. */
function translateMessages(errors: FieldErrors): void {
  for (const error of Object.values(errors)) {
    if (typeof error?.message === 'string') error.message = translateError(error.message) ?? error.message;
  }
}
