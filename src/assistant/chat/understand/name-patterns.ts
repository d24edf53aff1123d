/** Escapes a text for a regular expression. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** Last part of a qualified name. */
export function lastPart(name: string): string {
  return name.split(/\.|::|#/).findLast((part) => part !== '') ?? name;
}

/** Name as a whole word; Ruby and Lisp names may end with a mark. */
export function wholeWord(name: string, flags = ''): RegExp {
  return new RegExp(`(?<![\\w$])${escapePattern(name)}(?![\\w$])`, flags);
}
