import { expect, test } from 'vitest';
import { manualText } from './manual-page.ts';

test.each([
  [String.raw`\fBtoggle\-preview\fR action is triggered.`, 'toggle-preview action is triggered.'],
  [String.raw`.B \-\-all`, '--all'],
  ['.BR tar (1)', 'tar (1)'],
  ['.SH "EXIT STATUS"', 'EXIT STATUS'],
  [String.raw`.IP \(bu 2`, '• 2'],
  ['.Sh EXIT STATUS', 'EXIT STATUS'],
  ['.Nm tar', 'tar'],
  ['.Bl -tag', null],
  ['.RS 4', null],
  ['.TP', null],
  [String.raw`.\" a comment`, null],
  ['', ''],
  ['plain text', 'plain text'],
])('%j reads as %j', (line, expected) => {
  expect(manualText(line)).toBe(expected);
});
