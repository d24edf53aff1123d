import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Language, Parser, Query, type Tree } from 'web-tree-sitter';
import type { GrammarLanguage } from './languages.ts';

/**
 * A file that needs more is chunked by lines. Counted in steps (of 100 operations each, in the parser and in the query),
 * so that chunks do not depend on the load of the machine: code that people wrote took up to 24 steps per 1,000 UTF-16
 * units, half of it less than 5.
 */
const MAX_STEPS_PER_UNIT = 0.04;
const MIN_BUDGET_UNITS = 3000;
/** Steps of a hostile file may be slow; half a megabyte that people wrote took less than a second. */
const PARSE_TIMEOUT_MS = 5000;

/** Languages that share queries; the others have one file of their own name. */
const QUERIES: Partial<Record<GrammarLanguage, string[]>> = {
  javascript: ['ecmascript', 'javascript', 'jsx'],
  typescript: ['ecmascript', 'typescript'],
  tsx: ['ecmascript', 'typescript', 'jsx'],
};

/** Grammars that `@vscode/tree-sitter-wasm` lacks. */
const REPOMIX_GRAMMARS = new Set<GrammarLanguage>(['c', 'dart', 'solidity']);

/**
 * Grammars whose lexer is one function of 75 and 106 KB. Optimizing it takes V8 190 and 330 MB and up to three seconds of
 * processor time, after the first few kilobytes of source, and makes nothing measurably faster.
 */
const LARGE_LEXERS = new Set<GrammarLanguage>(['cpp', 'css']);
/** Text that calls the lexer of any language, with words so that keywords are looked up. */
const SAMPLE = 'a { b: c; }';

/** A loaded grammar: its parser and the query that finds definitions, comments and strings. */
interface Grammar {
  readonly parser: Parser;
  readonly query: Query;
}

/** Grammars of this thread. The WASM runtime never frees a grammar's memory, so each is loaded once. */
const loaded = new Map<GrammarLanguage, Promise<Grammar>>();

/** Loads the grammar of a language once per thread. */
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
 * Compiles what a parser calls while V8 inserts no counters that trigger optimization: a function is compiled on its
 * first call. Functions that grammars share were called by another one before, so they keep their counters.
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

/** Options of a query that limit its steps and time: some trees take quadratic time. */
interface ParseBudget {
  readonly progressCallback: () => boolean;
}

/** Calls `use` with the tree of the text and frees the tree; null when the budget is exceeded. */
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
