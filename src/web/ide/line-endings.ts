import type { Text } from '@codemirror/state';

/**
 * How the lines of a file end. The editor keeps lines without their ends; where they are mixed, `\r` stays a
 * character of its line. So what is saved differs from what was opened by what was typed, and by nothing else.
 */
export type LineEnding = 'lf' | 'crlf' | 'mixed';

/** How the lines of this content end. */
export function detectLineEnding(content: string): LineEnding {
  if (!content.includes('\r')) return 'lf';
  return /\r(?!\n)|(?<!\r)\n/.test(content) ? 'mixed' : 'crlf';
}

/** The content of a document as it is saved. */
export function serializeDocument(doc: Text, ends: LineEnding): string {
  return doc.toJSON().join(ends === 'crlf' ? '\r\n' : '\n');
}
