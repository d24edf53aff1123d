import type { Hunk } from '#contract/projects.ts';

/** True when a hunk changes the function of this name. */
export type ChangesFunction = (hunk: Hunk, symbol: string) => boolean;

/** Longer lines are generated code. */
const MAX_DEFINITION_LENGTH = 400;
/** Keywords before a defined name, in any of the languages. */
const DEFINITION_KEYWORD =
  '(?:^|\\s)(?:def|function\\*?|func|fn|class|const|let|var|async|static|public|private|void|int)\\s.*';

/**
 * Creates a matcher of hunks that change a function: git prints the function's header after the second `@@`, unless the
 * header itself changed. Compiles each name once, so it is best kept for a whole query.
 */
export function createFunctionMatcher(): ChangesFunction {
  const matchers = new Map<string, { last: string; name: RegExp; defined: RegExp }>();
  const matcherOf = (symbol: string) => {
    let matcher = matchers.get(symbol);
    if (!matcher) {
      const last = unqualifiedName(symbol);
      const name = `(?<![\\w$])${last.replace(/[^\w]/g, '\\$&')}(?![\\w$])`;
      matcher = { last, name: new RegExp(name), defined: new RegExp(DEFINITION_KEYWORD + name) };
      matchers.set(symbol, matcher);
    }
    return matcher;
  };
  // Most hunks contain none of many names: searching one joined text rules them out fastest.
  const texts = new WeakMap<Hunk, string>();
  const contains = (hunk: Hunk, name: string) => {
    const text = texts.get(hunk) ?? hunk.lines.map(({ text }) => text).join('\n');
    texts.set(hunk, text);
    return text.includes(name);
  };
  return (hunk, symbol) => {
    const { last, name, defined } = matcherOf(symbol);
    if (hunk.header.includes(last) && name.test(hunk.header)) return true;
    return (
      contains(hunk, last) &&
      hunk.lines.some(({ text }) => text.includes(last) && defined.test(text.slice(0, MAX_DEFINITION_LENGTH)))
    );
  };
}

/** `request` of `Session.request`. */
export function unqualifiedName(symbol: string): string {
  return symbol.slice(symbol.lastIndexOf('.') + 1);
}
