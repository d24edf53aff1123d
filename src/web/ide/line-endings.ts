import type { Text } from '@codemirror/state';

/**
 * Line endings of a file. The editor stores lines without them; in mixed files `\r` stays a character of its line,
 * so a save changes only what was edited.
 */
export type LineEnding = 'lf' | 'crlf' | 'mixed';

/** Detects the line ending of a text. */
export function detectLineEnding(content: string): LineEnding {
  if (!content.includes('\r')) return 'lf';
  return /\r(?!\n)|(?<!\r)\n/.test(content) ? 'mixed' : 'crlf';
}

/** Serializes a document with the file's line ending. */
export function serializeDocument(doc: Text, ends: LineEnding): string {
  return doc.toJSON().join(ends === 'crlf' ? '\r\n' : '\n');
}
