import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { detectLineEnding, serializeDocument } from './line-endings.ts';

test.each([
  ['', 'lf'],
  ['a\nb\n', 'lf'],
  ['a\r\nb\r\n', 'crlf'],
  ['a\r\nb', 'crlf'],
  ['a\r\nb\n', 'mixed'],
  ['a\rb\r', 'mixed'],
  ['a\n\r\nb', 'mixed'],
  ['\ufeffa\r\n', 'crlf'],
])('%j has ends %s and comes back byte for byte', (content, ends) => {
  expect(detectLineEnding(content)).toBe(ends);
  const separator = ends === 'mixed' ? EditorState.lineSeparator.of('\n') : [];
  const { doc } = EditorState.create({ doc: content, extensions: separator });
  expect(serializeDocument(doc, detectLineEnding(content))).toBe(content);
});
