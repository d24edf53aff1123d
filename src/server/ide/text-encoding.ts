import { isUtf8 } from 'node:buffer';
import type { TextEncoding } from '#contract/ide.ts';

/** Bytes that git itself examines to detect a binary file. */
const BINARY_DETECTION_BYTES = 8_000;

/** Characters of windows-1252 from 0x80 to 0x9f; the others are those of Latin 1. Bytes without one keep their number. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Encoding of a text; null for a binary file. Any bytes are a text of windows-1252, so that they survive a save. */
export function detectEncoding(bytes: Buffer): TextEncoding | null {
  const utf16 = utf16Of(bytes);
  if (utf16 && bytes.length % 2 === 0 && encodeText(decodeFileText(bytes, utf16), utf16)?.equals(bytes))
    return utf16;
  if (bytes.subarray(0, BINARY_DETECTION_BYTES).includes(0)) return null;
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252';
}

/** UTF-16 is recognized by its byte-order mark. */
function utf16Of(bytes: Buffer): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null;
}

/** Decodes a text with its byte-order mark. */
export function decodeFileText(bytes: Buffer, encoding: TextEncoding): string {
  if (encoding === 'utf-8') return bytes.toString('utf8');
  if (encoding === 'utf-16le') return bytes.toString('utf16le');
  if (encoding === 'utf-16be') return swapBytes(bytes).toString('utf16le');
  return bytes
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (character) => WINDOWS_1252[character.charCodeAt(0) - 0x80]!);
}

/** Encodes a text; null where the encoding lacks one of its characters. */
export function encodeText(text: string, encoding: TextEncoding): Buffer | null {
  if (encoding === 'utf-8') return Buffer.from(text);
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (encoding === 'utf-16be') return swapBytes(Buffer.from(text, 'utf16le'));
  const bytes = Buffer.alloc(text.length);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const special = code >= 0x80 && code <= 0x9f ? -1 : code > 0xff ? WINDOWS_1252.indexOf(text[at]!) : -1;
    if (code > 0xff && special === -1) return null;
    bytes[at] = special === -1 ? code : 0x80 + special;
  }
  return bytes;
}

/** Bytes in the other order; an odd one at the end stays. */
function swapBytes(bytes: Buffer): Buffer {
  const swapped = Buffer.from(bytes);
  return bytes.length % 2 === 0 ? swapped.swap16() : swapped;
}
