import type { Hunk } from '#contract/projects.ts';

/** Whether a hunk changes the function of this name. */
export type ChangesFunction = (hunk: Hunk, symbol: string) => boolean;

/** Characters of a line in which a name is defined; longer ones are no code that people write. */
const MAX_DEFINITION_LENGTH = 400;
/** Words before a name that is defined in this line, in any of the languages. */
const DEFINITION_KEYWORD =
  '(?:^|\\s)(?:def|function\\*?|func|fn|class|const|let|var|async|static|public|private|void|int)\\s.*';

/**
 * Tells hunks that change a function: git writes the function's line behind the second `@@`, unless that line itself is
 * changed. A hunk that only calls it is no change of it. Each name is prepared once: keep what is returned for one question.
 */
export function createFunctionMatcher(): ChangesFunction {
  const known = new Map<string, { last: string; name: RegExp; defined: RegExp }>();
  const prepared = (symbol: string) => {
    let test = known.get(symbol);
    if (!test) {
      const last = unqualifiedName(symbol);
      const name = `(?<![\\w$])${last.replace(/[^\w]/g, '\\$&')}(?![\\w$])`;
      test = { last, name: new RegExp(name), defined: new RegExp(DEFINITION_KEYWORD + name) };
      known.set(symbol, test);
    }
    return test;
  };
  // A hunk is asked about many names, of which it has none most often: one text of it tells that soonest.
  const texts = new WeakMap<Hunk, string>();
  const has = (hunk: Hunk, name: string) => {
    const text = texts.get(hunk) ?? hunk.lines.map(({ text }) => text).join('\n');
    texts.set(hunk, text);
    return text.includes(name);
  };
  return (hunk, symbol) => {
    const { last, name, defined } = prepared(symbol);
    if (hunk.header.includes(last) && name.test(hunk.header)) return true;
    return (
      has(hunk, last) &&
      hunk.lines.some(({ text }) => text.includes(last) && defined.test(text.slice(0, MAX_DEFINITION_LENGTH)))
    );
  };
}

/** `request` of `Session.request`. */
export function unqualifiedName(symbol: string): string {
  return symbol.slice(symbol.lastIndexOf('.') + 1);
}
