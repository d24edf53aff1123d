import { fencedBlock } from './markdown.ts';

const MARKDOWN = /\.(?:md|mdx|markdown)$/i;
/** Metadata above a page, which Markdown would take for a heading. */
const FRONT_MATTER = /^---\s*$/;
const FENCE = /^\s*(?:```|~~~)/;

/**
 * Lines of a document as a fenced block. The block of a Markdown document has the info string `markdown quote`, by which a page can
 * show it formatted; it stays plain where it begins or ends within a block of code.
 */
export function quoteDocument(path: string, lines: readonly string[]): string {
  const isWhole = lines.filter((line) => FENCE.test(line)).length % 2 === 0;
  const isFormatted = MARKDOWN.test(path) && isWhole && !FRONT_MATTER.test(lines[0] ?? '');
  return fencedBlock(isFormatted ? 'markdown quote' : '', lines.join('\n'));
}
