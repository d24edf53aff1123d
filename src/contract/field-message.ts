import type { z } from 'zod';
import { type ErrorMessage, isErrorKey } from './errors.ts';

/**
 * Message of a field that a schema refused. Schemas name a key as their message where the rule alone does not say
 * what to do; all other messages follow from the rule.
 */
export function toFieldMessage(issue: z.core.$ZodIssue): ErrorMessage {
  if (isErrorKey(issue.message)) return { key: issue.message };
  switch (issue.code) {
    case 'invalid_type':
      return /received undefined$/.test(issue.message)
        ? { key: 'field_required' }
        : { key: 'wrong_type', params: { expected: issue.expected } };
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return tooBig(issue);
    case 'invalid_value':
      return { key: 'not_an_option', params: { options: issue.values.map(String).join(', ') } };
    default:
      return { key: 'invalid_value' };
  }
}

function tooSmall({ origin, minimum }: z.core.$ZodIssueTooSmall): ErrorMessage {
  const params = { minimum: Number(minimum) };
  if (origin === 'string') return params.minimum === 1 ? { key: 'field_required' } : { key: 'too_short', params };
  return { key: origin === 'array' ? 'too_few_items' : 'too_small', params };
}

function tooBig({ origin, maximum }: z.core.$ZodIssueTooBig): ErrorMessage {
  const params = { maximum: Number(maximum) };
  if (origin === 'string') return { key: 'too_long', params };
  return { key: origin === 'array' ? 'too_many_items' : 'too_big', params };
}
