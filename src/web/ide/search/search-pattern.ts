import type { SearchForm } from './search-form.ts';

/** Expression that finds every match in a text; null for an empty or invalid one. */
export function compileSearch({ q, isRegex, matchCase, wholeWord }: SearchForm): RegExp | null {
  if (q === '') return null;
  const source = isRegex ? q : q.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  try {
    const whole = wholeWord ? `(?<![\\w])(?:${source})(?![\\w])` : source;
    return new RegExp(whole, matchCase ? 'gm' : 'gim');
  } catch {
    return null;
  }
}

/** Replaces every match of a text; `$1` stands for a group of a regular expression. */
export function replaceMatches(
  text: string,
  form: SearchForm,
  replacement: string,
): { text: string; count: number } {
  const expression = compileSearch(form);
  if (!expression) return { text, count: 0 };
  let count = 0;
  for (const match of text.matchAll(expression)) if (match[0] !== '') count += 1;
  const words = form.isRegex
    ? replacement.replaceAll('\\n', '\n').replaceAll('\\t', '\t')
    : replacement.replaceAll('$', '$$$$');
  return { text: count === 0 ? text : text.replace(expression, words), count };
}

/** Runs of a line that match and that do not, without leading blanks and around the first match. */
export function markMatches(
  line: string,
  form: SearchForm,
): { text: string; isMatch: boolean; at: number }[] {
  const expression = compileSearch(form);
  const blanks = line.length - line.trimStart().length;
  const matches = expression ? [...line.matchAll(expression)].filter(([text]) => text !== '') : [];
  const first = matches[0]?.index ?? 0;
  const start = first - blanks > CONTEXT ? first - CONTEXT : blanks;
  const runs: { text: string; isMatch: boolean; at: number }[] = [];
  let at = start;
  for (const { 0: text, index } of matches) {
    if (index < at) continue;
    if (index > at) runs.push({ text: line.slice(at, index), isMatch: false, at });
    runs.push({ text, isMatch: true, at: index });
    at = index + text.length;
  }
  if (at < line.length) runs.push({ text: line.slice(at, at + MAX_REST), isMatch: false, at });
  return runs;
}

const CONTEXT = 40;
const MAX_REST = 200;
