import type { z } from 'zod';
import type { ErrorKey, ErrorMessage } from './errors.ts';

/** Keys are snake case; messages of zod itself are sentences. */
const KEY = /^[a-z]+(?:_[a-z0-9]+)*$/;

/** An issue of a parse, or one that has no message yet, as error maps have them. */
type Issue = z.core.$ZodIssue | z.core.$ZodRawIssue;

/**
 * Message of a field that a schema refused. Schemas name a key as their message where the rule alone does not say
 * what to do; all other messages follow from the rule.
 */
export function toFieldMessage(issue: Issue): ErrorMessage {
  if (issue.message !== undefined && KEY.test(issue.message)) return { key: issue.message as ErrorKey };
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined && !/received (?!undefined)/.test(issue.message ?? '')
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

function tooSmall({ origin, minimum }: Pick<z.core.$ZodIssueTooSmall, 'origin' | 'minimum'>): ErrorMessage {
  const params = { minimum: Number(minimum) };
  if (origin === 'string')
    return params.minimum === 1 ? { key: 'field_required' } : { key: 'too_short', params };
  return { key: origin === 'array' ? 'too_few_items' : 'too_small', params };
}

function tooBig({ origin, maximum }: Pick<z.core.$ZodIssueTooBig, 'origin' | 'maximum'>): ErrorMessage {
  const params = { maximum: Number(maximum) };
  if (origin === 'string') return { key: 'too_long', params };
  return { key: origin === 'array' ? 'too_many_items' : 'too_big', params };
}
