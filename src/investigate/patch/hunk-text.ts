import type { Hunk } from '#contract/projects.ts';

/** Added and deleted lines of a hunk as one text. */
export function changedLinesText(hunk: Hunk): string {
  return hunk.lines
    .filter((line) => line.kind !== 'context')
    .map((line) => line.text)
    .join('\n');
}

/** Whether hunks change nothing that runs: the same characters go out and come in, blanks, quotes and comments apart. */
export function isFormattingOnly(hunks: Hunk[]): boolean {
  return hunks.length > 0 && hunks.every((hunk) => normalizedLines(hunk, 'add') === normalizedLines(hunk, 'delete'));
}

/** A row of a comment, in most languages; in C `#` begins something else. */
const COMMENT_LINE =
  /^\s*(?:\/\/|\/\*|\*(?:\s|\/|$)|#(?!\s*(?:include|define|if|el|endif|undef|pragma))|--\s|<!--)/;
/** A comment behind code: the sign stands between blanks, as no address and no string of colours has it. */
const TRAILING_COMMENT = /\s(?:#|\/\/)\s.*$/;

function normalizedLines(hunk: Hunk, kind: 'add' | 'delete'): string {
  return hunk.lines
    .filter((line) => line.kind === kind && !COMMENT_LINE.test(line.text))
    .map((line) => line.text.replace(TRAILING_COMMENT, '').replace(/[\s'"`,;()]+/g, ''))
    .join('');
}

/** Writes hunks of one file as a patch that `git apply` takes; `reverse` swaps what goes out and what comes in. */
export function writePatch(path: string, hunks: Hunk[], { reverse = false } = {}): string {
  const body = hunks.flatMap((hunk) => {
    const from = `${hunk.old_start},${hunk.old_lines}`;
    const to = `${hunk.new_start},${hunk.new_lines}`;
    return [reverse ? `@@ -${to} +${from} @@` : `@@ -${from} +${to} @@`, ...patchLines(hunk, reverse)];
  });
  return [`diff --git a/${path} b/${path}`, `--- a/${path}`, `+++ b/${path}`, ...body, ''].join('\n');
}

/** In a patch the lines that go out stand before those that come in. */
function patchLines(hunk: Hunk, reverse: boolean): string[] {
  const gone = reverse ? 'add' : 'delete';
  const out: string[] = [];
  let coming: string[] = [];
  for (const line of hunk.lines) {
    if (line.kind === 'context') {
      out.push(...coming, ` ${line.text}`);
      coming = [];
    } else if (line.kind === gone) out.push(`-${line.text}`);
    else coming.push(`+${line.text}`);
  }
  return [...out, ...coming];
}
