import { citeLines } from '../../answer/citations.ts';
import { inlineCode } from '../../answer/markdown.ts';
import type { ToolContext } from '../../tools/tool.ts';

const MAX_TEXT = 120;

/** Citation of lines at the indexed revision. */
export function citePlace(path: string, from: number, to: number, { index }: ToolContext): string {
  return citeLines({ path, from, to, commit: index.revision }, index.commits);
}

/** Citation of a line with its text as code. */
export function quoteLine(path: string, line: number, text: string, context: ToolContext): string {
  return `${citePlace(path, line, line, context)} ${inlineCode(text.trim().slice(0, MAX_TEXT) || ' ')}`;
}
