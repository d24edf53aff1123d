import { MAX_ATTACHMENT_BYTES } from '#contract/attachment-limits.ts';
import type { Attachment } from '#contract/chat.ts';
import { AppError } from '#contract/errors.ts';
import { parseTrace } from '#investigate/trace/read-trace.ts';
import { redactSecrets } from '#secrets/redact-secrets.ts';
import { readImageHeader } from './image-header.ts';

/** A file as it is stored: text with secrets redacted, or an image. */
export type ReadAttachment = Omit<Attachment, 'id'> & { text: string | null; data: Buffer | null };

/** An image that unpacks to more would take a browser's memory. */
const MAX_PIXELS = 40_000_000;

/** Characters at the end of a text that are searched for an error: logs end with it. */
const MAX_LOG_TAIL = 200_000;

/** Reads an uploaded file; its kind follows from its content. Throws `too_large`, or `unsupported` for other binary files. */
export function readAttachment(name: string, bytes: Buffer): ReadAttachment {
  if (bytes.length > MAX_ATTACHMENT_BYTES) {
    const params = { size: MAX_ATTACHMENT_BYTES / 2 ** 20 };
    throw new AppError('too_large', 'attachment_too_large', { params, reason: 'attachment_too_large' });
  }
  if (bytes.length === 0) {
    throw new AppError('bad_request', 'attachment_empty', { reason: 'attachment_empty' });
  }
  const image = readImageHeader(bytes);
  const safeName = cleanName(name);
  if (image) {
    if (image.width * image.height > MAX_PIXELS) {
      throw new AppError('too_large', 'attachment_image_too_large', { reason: 'attachment_image_too_large' });
    }
    const { width, height, mediaType: media_type } = image;
    return {
      kind: 'image',
      name: safeName,
      media_type,
      size: bytes.length,
      width,
      height,
      text: null,
      data: bytes,
    };
  }
  const text = redactSecrets(decodeText(bytes));
  return {
    ...{ kind: hasError(text) ? 'log' : 'file', name: safeName, media_type: 'text/plain' },
    ...{ size: Buffer.byteLength(text), width: null, height: null, text, data: null },
  };
}

/** The end of a log, where its error is. */
export function errorPartOf(text: string): string {
  return text.slice(-MAX_LOG_TAIL);
}

/** UTF-8 without NUL, or UTF-16 with a byte-order mark, as Windows writes logs. */
function decodeText(bytes: Buffer): string {
  const isUtf16 = bytes.length >= 2 && [0xfffe, 0xfeff].includes(bytes.readUInt16BE(0));
  const encoding = !isUtf16 ? 'utf-8' : bytes[0] === 0xff ? 'utf-16le' : 'utf-16be';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Refused below, with the other binary files.
  }
  throw new AppError('unsupported', 'attachment_not_text', { reason: 'attachment_not_text' });
}

/** True for a text with the frames of an error, rather than code that names files. */
function hasError(text: string): boolean {
  const { language, errorType, frames } = parseTrace(errorPartOf(text));
  return frames.length > 0 && (language !== null || errorType !== null);
}

/** The base name without what could mislead or break a line. */
function cleanName(name: string): string {
  const base = name.split(/[/\\]/).at(-1) ?? '';
  return redactSecrets(base).replace(/\p{C}/gu, '').trim().slice(0, 200) || 'file';
}
