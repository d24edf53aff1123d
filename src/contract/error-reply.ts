import { z } from 'zod';
import { ERROR_STATUS, type ErrorCode } from './errors.ts';

/** Longest value of a parameter. */
export const MAX_PARAM_LENGTH = 1000;

const params = z.record(z.string().max(64), z.union([z.string().max(MAX_PARAM_LENGTH), z.number()]));

const messageKey = z.string().max(100);

const errorCode = z.enum(Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]]);

/** The one error shape on the wire; `detail` repeats the message for clients of the specification. */
export const errorReply = z.object({
  error: z.object({
    code: errorCode,
    /** The message in the caller's language. */
    message: z.string(),
    /** Key of the message, which clients may render in a language of their own. */
    message_key: messageKey.optional(),
    params: params.optional(),
    reason: z.string().optional(),
    /** Messages by input field, in the caller's language. */
    fields: z.record(z.string(), z.string()).optional(),
    field_messages: z.record(z.string(), z.object({ key: messageKey, params: params.optional() })).optional(),
    request_id: z.string(),
  }),
  detail: z.string(),
});

export type ErrorReply = z.infer<typeof errorReply>;
