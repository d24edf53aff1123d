import { MANUAL_PAGE, manualText } from './manual-page.ts';
import { fencedBlock } from './markdown.ts';

const MARKDOWN = /\.(?:md|mdx|markdown)$/i;
/** Metadata above a page, which Markdown would take for a heading. */
const FRONT_MATTER = /^---\s*$/;
const FENCE = /^\s*(?:```|~~~)/;

/**
 * Lines of a document as a fenced block. The block of a Markdown document has the info string `markdown quote`, by which a page can
 * show it formatted; it stays plain where it begins or ends within a block of code. A manual page is quoted without its formatting.
 */
export function quoteDocument(path: string, lines: readonly string[]): string {
  if (MANUAL_PAGE.test(path)) {
    const text = lines.map(manualText).filter((line) => line !== null);
    return fencedBlock('', text.join('\n').trim());
  }
  const isWhole = lines.filter((line) => FENCE.test(line)).length % 2 === 0;
  const isFormatted = MARKDOWN.test(path) && isWhole && !FRONT_MATTER.test(lines[0] ?? '');
  return fencedBlock(isFormatted ? 'markdown quote' : '', lines.join('\n'));
}
