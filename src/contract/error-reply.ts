import { z } from 'zod';
import { ERROR_STATUS, type ErrorCode } from './errors.ts';

const errorCode = z.enum(Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]]);

/** The one error shape on the wire; `detail` repeats the message for clients of the specification. */
export const errorReply = z.object({
  error: z.object({
    code: errorCode,
    message: z.string(),
    reason: z.string().optional(),
    fields: z.record(z.string(), z.string()).optional(),
    request_id: z.string(),
  }),
  detail: z.string(),
});

export type ErrorReply = z.infer<typeof errorReply>;
