import type { Node, TreeCursor } from 'web-tree-sitter';
import { firstLine } from '#contract/first-line.ts';
import { getGrammar, withTree } from '#memory/chunk/grammar.ts';
import type { GrammarLanguage } from '#memory/chunk/languages.ts';
import type { CheckerDiagnostic } from './diagnostic.ts';

/** A file with more errors is probably in another language. */
const MAX_DIAGNOSTICS = 50;
const MAX_QUOTE_LENGTH = 40;

/** Syntax errors by the language's grammar; null when parsing takes too long. */
export async function checkSyntax(
  language: GrammarLanguage,
  text: string,
): Promise<CheckerDiagnostic[] | null> {
  return withTree(await getGrammar(language), text, (tree) => {
    const found: CheckerDiagnostic[] = [];
    const cursor = tree.walk();
    try {
      collectErrors(cursor, found);
    } finally {
      cursor.delete();
    }
    return found;
  });
}

/** Descends only into nodes with errors, and not into an error itself. */
function collectErrors(cursor: TreeCursor, found: CheckerDiagnostic[]): void {
  for (let deeper = true; found.length < MAX_DIAGNOSTICS; ) {
    const node = cursor.currentNode;
    const isFound = node.isError || node.isMissing;
    if (isFound) found.push(toDiagnostic(node));
    deeper = !isFound && node.hasError && cursor.gotoFirstChild();
    while (!deeper) {
      if (cursor.gotoNextSibling()) deeper = true;
      else if (!cursor.gotoParent()) return;
    }
  }
}

function toDiagnostic(node: Node): CheckerDiagnostic {
  const { startPosition: start, endPosition: end } = node;
  return {
    line: start.row + 1,
    column: start.column + 1,
    end_line: end.row + 1,
    end_column: end.column + 1,
    message: node.isMissing ? `Expected \`${node.type}\`` : `Not understood: \`${quote(node.text)}\``,
    severity: 'error',
    source: 'syntax',
  };
}

function quote(text: string): string {
  const line = firstLine(text.trim()).replaceAll('`', "'");
  return line.length > MAX_QUOTE_LENGTH ? `${line.slice(0, MAX_QUOTE_LENGTH)}…` : line;
}
