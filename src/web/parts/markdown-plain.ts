/** Block syntax: headings, quotes and fences. */
const LINE_SYNTAX = /^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|(?:`{3,}|~{3,}).*$)/gm;
const LIST_ITEM = /^([ \t]*)[-*+][ \t]+/gm;
/** Inline syntax and escapes. */
const INLINE_SYNTAX = /\*\*|__|~~|`+|\\(?=[\\`*_~[\]<>#|!])/g;
const LINK = /!?\[([^\]\n]*)\]\([^)\n]*\)/g;

/** Plain text of a Markdown document, by block: the fallback until the parser has loaded. */
export function stripMarkdown(markdown: string): string[] {
  return markdown
    .replace(LINK, '$1')
    .replace(LINE_SYNTAX, '')
    .replace(LIST_ITEM, '$1• ')
    .replace(INLINE_SYNTAX, '')
    .split(/\n\s*\n/)
    .map((block) => block.trim())
    .filter((block) => block !== '');
}
