import type { Hunk } from '#contract/projects.ts';

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/;
const KINDS = { '+': 'add', '-': 'delete', ' ': 'context' } as const;

/** Parses a unified diff into files and hunks; lines outside of hunks are skipped. */
export function parsePatch(patch: string): { path: string; hunks: Hunk[] }[] {
  const files: { path: string; hunks: Hunk[] }[] = [];
  let before = '';
  // Remaining lines of the open hunk: `--- a` inside a hunk is a deleted line `-- a`.
  let remaining = { old: 0, new: 0 };
  for (const line of patch.split('\n')) {
    const hunk = files.at(-1)?.hunks.at(-1);
    if (hunk && (remaining.old > 0 || remaining.new > 0)) {
      const kind = KINDS[(line[0] ?? ' ') as keyof typeof KINDS];
      if (!kind) continue;
      hunk.lines.push({ kind, text: line.slice(1) });
      remaining = {
        old: remaining.old - (kind === 'add' ? 0 : 1),
        new: remaining.new - (kind === 'delete' ? 0 : 1),
      };
    } else if (line.startsWith('--- ')) {
      before = parsePath(line);
    } else if (line.startsWith('+++ ')) {
      const after = parsePath(line);
      files.push({ path: after === '/dev/null' ? before : after, hunks: [] });
    } else {
      const opened = parseHunkHeader(line);
      if (!opened) continue;
      files.at(-1)?.hunks.push(opened);
      remaining = { old: opened.old_lines, new: opened.new_lines };
    }
  }
  return files;
}

function parseHunkHeader(line: string): Hunk | null {
  const match = HUNK.exec(line);
  if (!match) return null;
  const [, oldStart, oldLines = '1', newStart, newLines = '1', header = ''] = match;
  return {
    old_start: Number(oldStart),
    old_lines: Number(oldLines),
    new_start: Number(newStart),
    new_lines: Number(newLines),
    header,
    lines: [],
  };
}

/** `+++ b/src/a.ts` → `src/a.ts`; git adds a tab after a name with blanks. */
function parsePath(line: string): string {
  return line
    .slice(4)
    .replace(/\t.*$/, '')
    .replace(/^[ab]\//, '');
}
