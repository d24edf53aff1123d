import type { Node } from 'web-tree-sitter';
import { getGrammar, withTree } from './grammar.ts';
import { detectGrammar, type GrammarLanguage } from './languages.ts';

/** Nodes of type annotations, which are erased at run time. */
const TYPES: Partial<Record<GrammarLanguage, ReadonlySet<string>>> = {
  python: new Set(['type']),
  typescript: new Set(['type_annotation', 'type_arguments', 'type_parameters']),
  tsx: new Set(['type_annotation', 'type_arguments', 'type_parameters']),
};
/** Tokens between a name and its type. */
const BEFORE_TYPE = new Set([':', '->']);
const NONE: ReadonlySet<string> = new Set();

/**
 * True when two versions of a file have the same tokens at run time: they differ at most in comments, blanks and declared
 * types. False without a grammar or beyond the budget.
 */
export async function hasSameRuntimeTokens(path: string, before: string, after: string): Promise<boolean> {
  const language = detectGrammar(path, after);
  if (language === null) return false;
  const [one, other] = [await runtimeTokens(language, before), await runtimeTokens(language, after)];
  return one !== null && one === other;
}

/** Runtime tokens of a text, one per line, with their block depth: indentation may be the only difference. */
async function runtimeTokens(language: GrammarLanguage, text: string): Promise<string | null> {
  const types = TYPES[language] ?? NONE;
  return withTree(await getGrammar(language), text, ({ rootNode }) => {
    const found: string[] = [];
    const open = [{ node: rootNode, depth: 0 }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { node, depth } = next;
      const inside = node.children;
      if (inside.length === 0) found.push(`${depth} ${node.text}`);
      const below = depth + Number(types === NONE || node.type === 'block');
      for (let i = inside.length - 1; i >= 0; i--) {
        if (!isErased(inside[i]!, inside[i + 1], types)) open.push({ node: inside[i]!, depth: below });
      }
    }
    return found.join('\n');
  });
}

function isErased(node: Node, next: Node | undefined, types: ReadonlySet<string>): boolean {
  if (node.type.endsWith('comment') || types.has(node.type)) return true;
  if (types === TYPES.python && isDocstring(node)) return true;
  return next !== undefined && types.has(next.type) && BEFORE_TYPE.has(node.type);
}

/** True for a string that is a statement. */
function isDocstring(node: Node): boolean {
  return (
    node.type === 'expression_statement' &&
    node.namedChildCount === 1 &&
    node.namedChild(0)?.type === 'string'
  );
}
