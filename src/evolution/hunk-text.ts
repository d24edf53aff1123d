import type { Hunk } from '#contract/projects.ts';

/** Added and deleted lines of a hunk as one text. */
export function changedLinesText(hunk: Hunk): string {
  return hunk.lines
    .filter((line) => line.kind !== 'context')
    .map((line) => line.text)
    .join('\n');
}

/** True when hunks only change formatting: whitespace, quotes, punctuation and comments. */
export function isFormattingOnly(hunks: Hunk[]): boolean {
  return (
    hunks.length > 0 &&
    hunks.every((hunk) => normalizedLines(hunk, 'add') === normalizedLines(hunk, 'delete'))
  );
}

/** Comment lines in most languages; in C, `#` starts a directive. */
const COMMENT_LINE =
  /^\s*(?:\/\/|\/\*|\*(?:\s|\/|$)|#(?!\s*(?:include|define|if|el|endif|undef|pragma))|--\s|<!--)/;

/** True for lines that hold a comment and nothing else. */
export function isCommentOnly(text: string): boolean {
  return COMMENT_LINE.test(text);
}

/** Trailing comments: a sign between spaces, unlike in URLs and color codes. */
const TRAILING_COMMENT = /\s(?:#|\/\/)\s.*$/;

function normalizedLines(hunk: Hunk, kind: 'add' | 'delete'): string {
  return hunk.lines
    .filter((line) => line.kind === kind && !COMMENT_LINE.test(line.text))
    .map((line) => line.text.replace(TRAILING_COMMENT, '').replace(/[\s'"`,;()]+/g, ''))
    .join('');
}

/** Formats hunks of one file as a patch for `git apply`; `reverse` swaps added and deleted lines. */
export function writePatch(path: string, hunks: Hunk[], { reverse = false } = {}): string {
  const body = hunks.flatMap((hunk) => {
    const from = `${hunk.old_start},${hunk.old_lines}`;
    const to = `${hunk.new_start},${hunk.new_lines}`;
    return [reverse ? `@@ -${to} +${from} @@` : `@@ -${from} +${to} @@`, ...patchLines(hunk, reverse)];
  });
  return [`diff --git a/${path} b/${path}`, `--- a/${path}`, `+++ b/${path}`, ...body, ''].join('\n');
}

/** Lines of a hunk in patch order: deleted lines before added ones. */
function patchLines(hunk: Hunk, reverse: boolean): string[] {
  const deleted = reverse ? 'add' : 'delete';
  const out: string[] = [];
  let added: string[] = [];
  for (const line of hunk.lines) {
    if (line.kind === 'context') {
      out.push(...added, ` ${line.text}`);
      added = [];
    } else if (line.kind === deleted) out.push(`-${line.text}`);
    else added.push(`+${line.text}`);
  }
  return [...out, ...added];
}
