import type { FileDiff, Hunk } from '#contract/projects.ts';
import { diffLines } from './line-diff.ts';

/** Compares two texts of a file as git does without context lines and without looking at line ends; null for a file that is not there. */
export function diffTexts(path: string, before: string | null, after: string | null): FileDiff {
  const [old, current] = [before, after].map((text) => ({ start: 1, lines: linesOf(text) }));
  return {
    ...{ old_path: before === null ? null : path, new_path: after === null ? null : path },
    ...{ binary: false, truncated: false },
    hunks: diffLines(old!, current!).flatMap(withoutContext),
  };
}

function linesOf(text: string | null): string[] {
  return text === null || text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
}

/** Splits a hunk at its context lines. */
function withoutContext(hunk: Hunk): Hunk[] {
  const hunks: Hunk[] = [];
  let [oldLine, newLine] = [hunk.old_start, hunk.new_start];
  let current: Hunk | null = null;
  for (const line of hunk.lines) {
    if (line.kind === 'context') {
      current = null;
      oldLine++;
      newLine++;
      continue;
    }
    if (!current) {
      current = { header: '', old_start: oldLine, old_lines: 0, new_start: newLine, new_lines: 0, lines: [] };
      hunks.push(current);
    }
    current.lines.push(line);
    if (line.kind === 'delete') {
      oldLine++;
      current.old_lines++;
    } else {
      newLine++;
      current.new_lines++;
    }
  }
  return hunks;
}
