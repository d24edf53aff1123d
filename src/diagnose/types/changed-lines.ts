import ts from 'typescript-api';
import type { CheckerDiagnostic, CheckerFix } from '../diagnostic.ts';

/** Lines of a text, from 1, that differ from an earlier text, and by how many lines those behind them have moved. */
interface ChangedLines {
  from: number;
  to: number;
  moved: number;
}

/** Lines that lie between the common beginning and the common end of two texts. */
export function findChangedLines(before: string, after: string): ChangedLines {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const from = 1 + countLineEnds(after, 0, start);
  const to = from + countLineEnds(after, start, after.length - end);
  return { from, to, moved: to - from - countLineEnds(before, start, before.length - end) };
}

function countLineEnds(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** Statements to check in place of a file, and the lines that they cover. */
interface ChangedStatements {
  nodes: ts.Node[];
  lines: ChangedLines;
}

/** Statements on the changed lines, of the innermost block around all of these; null where they are most of the file. */
export function findChangedStatements(
  source: ts.SourceFile,
  changed: ChangedLines,
): ChangedStatements | null {
  const starts = source.getLineStarts();
  const from = starts[changed.from - 1] ?? 0;
  const to = starts[changed.to] ?? source.end;
  const covers = (node: ts.Node) => node.pos <= from && node.end >= to;
  let block: ts.BlockLike = source;
  const visit = (node: ts.Node): void => {
    if (!covers(node)) return;
    if (ts.isBlock(node) || ts.isModuleBlock(node)) block = node;
    ts.forEachChild(node, visit);
  };
  visit(source);
  const nodes = block.statements.filter((one) => one.getStart(source) < to && one.end > from);
  const length = nodes.length === 0 ? 0 : nodes.at(-1)!.end - nodes[0]!.pos;
  if (length > source.end / 2) return null;
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1;
  const lines = {
    from: Math.min(changed.from, ...nodes.map((one) => lineOf(one.getStart(source)))),
    to: Math.max(changed.to, ...nodes.map(({ end }) => lineOf(end))),
    moved: changed.moved,
  };
  return { nodes, lines };
}

/** Findings of the lines outside of those that were checked again, at the lines at which they stand now. */
export function moveFindings(
  findings: readonly CheckerDiagnostic[],
  { from, to, moved }: ChangedLines,
): CheckerDiagnostic[] {
  const move = (line: number) => (line < from ? line : line > to - moved ? line + moved : null);
  return findings.flatMap((finding) => {
    const line = move(finding.line);
    const end = finding.end_line === undefined ? undefined : move(finding.end_line);
    if (line === null || end === null) return [];
    const fixes = finding.fixes?.flatMap((fix) => moveFix(fix, move));
    return { ...finding, line, ...(end !== undefined && { end_line: end }), ...(fixes && { fixes }) };
  });
}

/** A fix that does not touch the lines that were checked again; else none. */
function moveFix(fix: CheckerFix, move: (line: number) => number | null): CheckerFix[] {
  const edits = fix.edits.flatMap((edit) => {
    const [line, end] = [move(edit.line), move(edit.end_line)];
    return line === null || end === null ? [] : { ...edit, line, end_line: end };
  });
  return edits.length === fix.edits.length ? [{ ...fix, edits }] : [];
}
