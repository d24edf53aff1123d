/** A file with unsaved changes. */
interface UnsavedFile {
  path: string;
  /** Text that was last saved; null for a new file. */
  saved: string | null;
  text: string;
}

const CONTEXT_LINES = 3;

/** Writes unsaved changes as a unified diff with one hunk for each file. */
export function formatUnsavedPatch(files: readonly UnsavedFile[]): string {
  return files.map(formatFile).join('');
}

function formatFile({ path, saved, text }: UnsavedFile): string {
  const [before, after] = [splitLines(saved ?? ''), splitLines(text)];
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const first = Math.max(0, start - CONTEXT_LINES);
  const behind = Math.min(end, CONTEXT_LINES);
  const side = (lines: string[]) => {
    const count = lines.length - (end - behind) - first;
    return `${count === 0 ? first : first + 1},${count}`;
  };
  const hunk = [
    ...before.slice(first, start).map((line) => formatLine(' ', line)),
    ...before.slice(start, before.length - end).map((line) => formatLine('-', line)),
    ...after.slice(start, after.length - end).map((line) => formatLine('+', line)),
    ...after.slice(after.length - end, after.length - end + behind).map((line) => formatLine(' ', line)),
  ];
  const header = `diff --git a/${path} b/${path}\n${saved === null ? 'new file mode 100644\n--- /dev/null' : `--- a/${path}`}`;
  return `${header}\n+++ b/${path}\n@@ -${side(before)} +${side(after)} @@\n${hunk.join('')}`;
}

/** Lines with their endings. */
function splitLines(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

function formatLine(sign: string, line: string): string {
  return line.endsWith('\n') ? sign + line : `${sign}${line}\n\\ No newline at end of file\n`;
}
