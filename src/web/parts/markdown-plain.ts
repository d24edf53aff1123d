/** Marks at the beginning of a line: headings, quotations, items of lists, fences with their language. */
const LINE_SYNTAX = /^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|(?:`{3,}|~{3,}).*$)/gm;
const LIST_ITEM = /^([ \t]*)[-*+][ \t]+/gm;
/** `**`, `__`, `~~`, backticks, and the escapes before signs; addresses of links. */
const INLINE_SYNTAX = /\*\*|__|~~|`+|\\(?=[\\`*_~[\]<>#|!])/g;
const LINK = /!?\[([^\]\n]*)\]\([^)\n]*\)/g;

/** The words of a markdown text without its marks, block by block: what a reader sees until it is parsed. */
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
