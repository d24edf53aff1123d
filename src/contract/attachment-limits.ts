// Loaded by the browser: no zod here.

/** Files of one question. */
export const MAX_ATTACHMENTS = 4;

/** Bytes of a file. */
export const MAX_ATTACHMENT_BYTES = 2 * 2 ** 20;
