import type { Hunk } from '#contract/projects.ts';

/** Words that declare a name and change with the style of a project. */
const STYLE_WORDS = new Set(['var', 'let', 'const', 'final', 'auto', 'self', 'this']);

/** Code of a line without white space. */
function normalizeLine(text: string): string {
  return text.replace(/\s+/g, '');
}

/** Number of lines with the same code. */
export function countOf(lines: readonly string[], text: string): number {
  const wanted = normalizeLine(text);
  return lines.filter((line) => normalizeLine(line) === wanted).length;
}

/** True when one of the lines has the same code. */
export function hasLine(lines: readonly string[], text: string): boolean {
  return countOf(lines, text) > 0;
}

/** The added line of a hunk that has the same names and operators as a removed one, such as after a change of quotes; null without one. */
export function successorOf(line: string, { lines }: Hunk): string | null {
  const added = lines.filter(({ kind }) => kind === 'add').map(({ text }) => text.trim());
  return added.find((text) => hasSameNames(text, line)) ?? null;
}

/** True where two lines differ only in quotes, commas, semicolons and words that declare. */
export function hasSameNames(line: string, other: string): boolean {
  return skeleton(line) === skeleton(other);
}

/** Names, numbers and operators of a line, without quotes, commas, semicolons and what only declares. */
function skeleton(line: string): string {
  const tokens = line.match(/[\w$]+|[^\w\s$'"`,;(){}]/g) ?? [];
  return tokens.filter((token) => !STYLE_WORDS.has(token)).join(' ');
}

/** True when added lines together have the names and operators of a removed one, which was wrapped. */
export function isSpread(line: string, { lines }: Hunk): boolean {
  const added = lines.filter(({ kind }) => kind === 'add').map(({ text }) => skeleton(text));
  return ` ${added.join(' ')} `.includes(` ${skeleton(line)} `);
}

/** Times that a hunk adds or deletes a line, ignoring white space. */
export function countLine(line: string, { lines }: Hunk, kind: 'add' | 'delete'): number {
  const wanted = normalizeLine(line);
  return lines.filter((one) => one.kind === kind && normalizeLine(one.text) === wanted).length;
}

/** A statement that may keep what follows it from being run. */
const CHECK =
  /^\s*(?:\}\s*)?(?:if|elif|else if|unless|guard|return|raise|throw|when|case|match|panic)\b|\b(?:return|raise|throw|continue|die)\b.*\b(?:if|unless)\b/;
/** Lines between a check and the line that it protects. */
const MAX_CHECK_DISTANCE = 4;

/**
 * True when a hunk adds a check directly above a line, which it keeps; one in the place of another is a rewritten check. Where the
 * value that failed is known, the check names it.
 */
export function addsCheck(line: string, { lines }: Hunk, values: readonly string[] = []): boolean {
  const wanted = normalizeLine(line);
  const at = lines.findIndex(({ kind, text }) => kind !== 'delete' && normalizeLine(text) === wanted);
  const above = lines.slice(0, Math.max(0, at));
  const kept = above.flatMap(({ kind }, index) => (kind === 'delete' ? [] : [index]));
  const near = above.slice(kept.at(-MAX_CHECK_DISTANCE) ?? 0);
  const isCheck = (text: string) =>
    CHECK.test(text) &&
    (values.length === 0 || (text.match(/[\w$@]+/g) ?? []).some((word) => values.includes(word)));
  const count = (side: 'add' | 'delete') =>
    near.filter(({ kind, text }) => kind === side && isCheck(text)).length;
  return count('add') > count('delete');
}

/** True when a hunk removes a check directly above a line, which it keeps. */
export function removesCheck(line: string, hunk: Hunk): boolean {
  const opposite = { add: 'delete', delete: 'add', context: 'context' } as const;
  return addsCheck(line, {
    ...hunk,
    lines: hunk.lines.map(({ kind, text }) => ({ kind: opposite[kind], text })),
  });
}
