import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatUnsavedPatch } from './unsaved-patch.ts';

const LINES = Array.from({ length: 30 }, (_, number) => `line ${number}\n`);
const TEXT = LINES.join('');
const EDITS: [title: string, saved: string | null, text: string][] = [
  ['a line in the middle', TEXT, LINES.with(15, 'changed\n').join('')],
  ['two places', TEXT, LINES.with(2, 'changed\n').with(27, '').join('')],
  ['the first and the last line', TEXT, LINES.with(0, '').with(29, 'last').join('')],
  ['a line at the end of a file without a last line break', 'a\nb', 'a\nb\nc'],
  ['repeated lines', 'a\na\na\n', 'a\na\n'],
  ['line endings of Windows', 'a\r\nb\r\nc\r\n', 'a\r\nB\r\nc\r\n'],
  ['a file that becomes empty', 'a\n', ''],
  ['a new file', null, 'first\nsecond\n'],
];

test('git applies the patch of unsaved changes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hindsight-patch-'));
  try {
    const files = EDITS.map(([, saved, text], number) => ({ path: `src/file ${number}.txt`, saved, text }));
    execFileSync('git', ['init', '-q', folder]);
    execFileSync('mkdir', [join(folder, 'src')]);
    for (const { path, saved } of files) if (saved !== null) writeFileSync(join(folder, path), saved);
    execFileSync('git', ['apply', '-'], { cwd: folder, input: formatUnsavedPatch(files) });
    const read = ({ path }: { path: string }) => readFileSync(join(folder, path), 'utf8');
    expect(files.map(read)).toEqual(EDITS.map(([, , text]) => text));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
