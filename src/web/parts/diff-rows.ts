import type { Hunk } from '#contract/projects.ts';
import type { CharacterRange } from './changed-words.ts';
import type { CodeToken } from './code-parser.ts';

/** A line of a hunk with its numbers, tokens and changed words. */
export interface DiffRow {
  key: string;
  kind: Hunk['lines'][number]['kind'];
  /** Line number before the change; null for an added line. */
  before: number | null;
  /** Line number after the change; null for a deleted line. */
  after: number | null;
  tokens: CodeToken[];
  ranges: CharacterRange[];
}

/** Rows of a hunk, in the order of its lines. */
export function diffRows(hunk: Hunk, tokens: CodeToken[][], ranges: CharacterRange[][]): DiffRow[] {
  let old = hunk.old_start;
  let fresh = hunk.new_start;
  return hunk.lines.map(({ kind }, index) => {
    const before = kind === 'add' ? null : old++;
    const after = kind === 'delete' ? null : fresh++;
    const key = `${before}:${after}`;
    return { kind, before, after, key, tokens: tokens[index] ?? [], ranges: ranges[index] ?? [] };
  });
}

/** Pairs rows for two columns: deleted lines next to the added lines that follow them. */
export function pairRows(rows: DiffRow[]): [left: DiffRow | null, right: DiffRow | null][] {
  const pairs: [DiffRow | null, DiffRow | null][] = [];
  for (let start = 0; start < rows.length; ) {
    const row = rows[start]!;
    if (row.kind === 'context') {
      pairs.push([row, row]);
      start += 1;
      continue;
    }
    const deleted = takeKind(rows, start, 'delete');
    const added = takeKind(rows, start + deleted.length, 'add');
    for (let i = 0; i < Math.max(deleted.length, added.length); i += 1) {
      pairs.push([deleted[i] ?? null, added[i] ?? null]);
    }
    start += deleted.length + added.length;
  }
  return pairs;
}

function takeKind(rows: DiffRow[], start: number, kind: DiffRow['kind']): DiffRow[] {
  const end = rows.findIndex((row, index) => index >= start && row.kind !== kind);
  return rows.slice(start, end === -1 ? undefined : end);
}
