import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Language, Parser, Query, type Tree } from 'web-tree-sitter';
import { detectLanguage, type GrammarLanguage, hasGrammar } from './languages.ts';

/**
 * A file that needs more is cut by lines. Counted in steps (of 100 operations each, in the parser as in the query), so
 * that the same file is cut alike on a busy machine: code that people wrote took 24 steps for 1,000 UTF-16 units at
 * the most, half of it less than 5.
 */
const MAX_STEPS_PER_UNIT = 0.04;
const MIN_BUDGET_UNITS = 3000;
/** Steps of a hostile file may be slow ones; those of half a megabyte by people took less than a second in all. */
const PARSE_TIMEOUT_MS = 5000;

/** Languages that share queries; the others have one file of their own name. */
const QUERIES: Partial<Record<GrammarLanguage, string[]>> = {
  javascript: ['ecmascript', 'javascript', 'jsx'],
  typescript: ['ecmascript', 'typescript'],
  tsx: ['ecmascript', 'typescript', 'jsx'],
};

/** Grammars that the other package lacks. */
const REPOMIX_GRAMMARS = new Set<GrammarLanguage>(['c', 'dart', 'solidity']);

/**
 * Grammars whose lexer is one function of 75 and 106 KB. Optimizing it takes V8 190 and 330 MB and up to three seconds of
 * processor time, after the first few kilobytes of source, and makes nothing measurably faster.
 */
const LARGE_LEXERS = new Set<GrammarLanguage>(['cpp', 'css']);
/** Calls the lexer of any language; words, so that keywords are looked up. */
const SAMPLE = 'a { b: c; }';

/** A loaded grammar: its parser and the query that finds definitions, comments and strings. */
export interface Grammar {
  readonly parser: Parser;
  readonly query: Query;
}

/** The WASM runtime is one a thread and never gives a grammar's memory back: each is loaded once a thread. */
const loaded = new Map<GrammarLanguage, Promise<Grammar>>();

/** The grammar of a language. */
export function getGrammar(language: GrammarLanguage): Promise<Grammar> {
  let grammar = loaded.get(language);
  if (!grammar) {
    grammar = load(language);
    loaded.set(language, grammar);
  }
  return grammar;
}

async function load(name: GrammarLanguage): Promise<Grammar> {
  await Parser.init();
  const language = await Language.load(await readFile(fileURLToPath(import.meta.resolve(wasmPath(name)))));
  const queries = (QUERIES[name] ?? [name]).map((query) =>
    readFile(new URL(`./queries/${query}.scm`, import.meta.url), 'utf8'),
  );
  const parser = new Parser();
  parser.setLanguage(language);
  if (LARGE_LEXERS.has(name)) await compileUnoptimized(parser);
  return { parser, query: new Query(language, (await Promise.all(queries)).join('\n')) };
}

/**
 * Has what a parser calls compiled while V8 plants no counters that lead to optimized code: a function is compiled
 * when it is called for the first time. What grammars share has been called by another one before, so it keeps them.
 */
async function compileUnoptimized(parser: Parser): Promise<void> {
  const small = await getGrammar('go');
  small.parser.parse(SAMPLE)?.delete();
  try {
    setFlagsFromString('--no-wasm-tier-up');
    setFlagsFromString('--no-wasm-dynamic-tiering');
    parser.parse(SAMPLE)?.delete();
  } finally {
    setFlagsFromString('--wasm-dynamic-tiering');
    setFlagsFromString('--wasm-tier-up');
  }
}

function wasmPath(language: GrammarLanguage): string {
  if (REPOMIX_GRAMMARS.has(language)) return `@repomix/tree-sitter-wasms/out/tree-sitter-${language}.wasm`;
  const name = language === 'csharp' ? 'c-sharp' : language;
  return `@vscode/tree-sitter-wasm/wasm/tree-sitter-${name}.wasm`;
}

/** What to hand to a query, so that it too stays within the time: some trees take it quadratic time. */
export interface ParseBudget {
  readonly progressCallback: () => boolean;
}

/** Calls `use` with the tree of the text and frees it; null when that would take too long. */
export function withTree<T>(
  grammar: Grammar,
  text: string,
  use: (tree: Tree, budget: ParseBudget) => T,
): T | null {
  const end = performance.now() + PARSE_TIMEOUT_MS;
  let left = (text.length + MIN_BUDGET_UNITS) * MAX_STEPS_PER_UNIT;
  const isSpent = () => left < 0 || performance.now() > end;
  const budget = {
    progressCallback: () => {
      left--;
      return isSpent();
    },
  };
  const tree = grammar.parser.parse(text, null, budget);
  if (!tree) {
    grammar.parser.reset();
    return null;
  }
  try {
    const result = use(tree, budget);
    return isSpent() ? null : result;
  } finally {
    tree.delete();
  }
}

/** Whether the text of the file at `path` has syntax errors; null when its language has no grammar or it takes too long. */
export async function hasSyntaxErrors(path: string, text: string): Promise<boolean | null> {
  const language = detectLanguage(path, text);
  if (!hasGrammar(language)) return null;
  return withTree(await getGrammar(language), text, (tree) => tree.rootNode.hasError);
}
