import type { Node, TreeCursor } from 'web-tree-sitter';
import { getGrammar, withTree } from '#memory/chunk/grammar.ts';
import type { GrammarLanguage } from '#memory/chunk/languages.ts';
import type { Diagnostic } from './diagnostic.ts';

/** After this many a file is rather in another language. */
const MOST = 50;
const LONGEST_QUOTE = 40;

/** Places where the text does not fit the language's grammar; null when reading it would take too long. */
export async function checkSyntax(language: GrammarLanguage, text: string): Promise<Diagnostic[] | null> {
  return withTree(await getGrammar(language), text, (tree) => {
    const found: Diagnostic[] = [];
    const cursor = tree.walk();
    try {
      collect(cursor, found);
    } finally {
      cursor.delete();
    }
    return found;
  });
}

/** Goes only where there are errors, and not into one that it has found. */
function collect(cursor: TreeCursor, found: Diagnostic[]): void {
  for (let deeper = true; found.length < MOST; ) {
    const node = cursor.currentNode;
    const isFound = node.isError || node.isMissing;
    if (isFound) found.push(describe(node));
    deeper = !isFound && node.hasError && cursor.gotoFirstChild();
    while (!deeper) {
      if (cursor.gotoNextSibling()) deeper = true;
      else if (!cursor.gotoParent()) return;
    }
  }
}

function describe(node: Node): Diagnostic {
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
  const line = text.trim().split('\n', 1)[0]!.replaceAll('`', "'");
  return line.length > LONGEST_QUOTE ? `${line.slice(0, LONGEST_QUOTE)}…` : line;
}
