import { Language, LanguageSupport } from '@codemirror/language';
import { highlightTree, tagHighlighter } from '@lezer/highlight';
import { loadCodeLanguage } from './code-languages.ts';
import { CODE_TAGS, type CodeTokenKind } from './code-tags.ts';

/** A piece of a line of code. */
export interface CodeToken {
  kind: CodeTokenKind;
  text: string;
}

/** Parser of a language. */
export type CodeParser = Language['parser'];

const highlighter = tagHighlighter(
  Object.entries(CODE_TAGS).flatMap(([kind, tags]) => tags.map((tag) => ({ tag, class: kind }))),
);

/** Longer lines are shown plain. */
const MAX_LINE_LENGTH = 2_000;

/** Loads the parser of a file's language; null for plain text. */
export async function loadParser(path: string): Promise<CodeParser | null> {
  const extension = await loadCodeLanguage(path);
  const language = extension instanceof LanguageSupport ? extension.language : extension;
  return language instanceof Language ? language.parser : null;
}

/** Characters whose kinds are found in one step, and the rest of their line. */
const STEP_LENGTH = 8_000;

/** Parses a text in small steps; returns its tokens line by line. */
export function* tokenize(parser: CodeParser, text: string): Generator<void, CodeToken[][], void> {
  const parse = parser.startParse(text);
  let tree = parse.advance();
  while (tree === null) {
    yield;
    tree = parse.advance();
  }
  const lines: CodeToken[][] = [[]];
  let end = 0;
  const push = (from: number, to: number, classes: string) => {
    pushText(lines, 'plain', text.slice(end, from));
    pushText(lines, classes.slice(classes.lastIndexOf(' ') + 1) as CodeTokenKind, text.slice(from, to));
    end = to;
  };
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf('\n', start + STEP_LENGTH) + 1 || text.length;
    highlightTree(tree, highlighter, push, start, next);
    start = next;
    yield;
  }
  pushText(lines, 'plain', text.slice(end));
  return lines.map(plainIfLong);
}

function pushText(lines: CodeToken[][], kind: CodeTokenKind, text: string): void {
  for (const [index, part] of text.split('\n').entries()) {
    if (index > 0) lines.push([]);
    if (part !== '') lines.at(-1)!.push({ kind, text: part });
  }
}

function plainIfLong(line: CodeToken[]): CodeToken[] {
  const text = line.map((token) => token.text).join('');
  return text.length > MAX_LINE_LENGTH ? [{ kind: 'plain', text }] : line;
}
