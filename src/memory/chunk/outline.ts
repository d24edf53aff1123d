import type { Node, QueryMatch } from 'web-tree-sitter';
import { getGrammar, withTree } from './grammar.ts';
import type { GrammarLanguage } from './languages.ts';

const MAX_NAME_LENGTH = 100;
/** Deeper nesting is generated or hostile. */
const MAX_DEPTH = 32;

/** A named definition, or a call with a callback. Rows count from 0, `end` is included. */
export interface Definition {
  start: number;
  end: number;
  /** Full names such as `Session.request`; several when one declaration has several, none for a call. */
  names: string[];
  /** True for classes and the like, which are chunked by member. */
  container: boolean;
  children: Definition[];
}

/** Structure of a file. */
export interface Outline {
  definitions: Definition[];
  /** The definitions, and outside of them the statements that pass a callback: tests, suites, routes, tasks. */
  blocks: Definition[];
  /** Comments and strings: disjoint ascending ranges of UTF-16 units, as alternating starts and ends. */
  prose: number[];
  /** Rows that start with a comment, decorator or attribute of the definition below. */
  leading: Set<number>;
}

interface FoundDefinition {
  from: number;
  to: number;
  nameAt: number;
  definition: Definition;
}

/** Longer texts, in UTF-16 units, are rarely handwritten, and the worst exhaust the parser's memory. */
const MAX_PARSED_UNITS = 2 ** 19;
/** A query scans all later siblings of a node: with half a million of them it took minutes. */
const MAX_SIBLINGS = 20_000;

/**
 * Parses definitions, comments and strings of a text; null when it is too long or too slow, or when the parser fails. A
 * parser that ran out of memory keeps failing: the thread's further files are chunked by lines.
 */
export async function parseOutline(language: GrammarLanguage, text: string): Promise<Outline | null> {
  if (text.length > MAX_PARSED_UNITS) return null;
  try {
    const grammar = await getGrammar(language);
    return withTree(grammar, text, (tree, budget) => {
      if (tree.rootNode.childCount > MAX_SIBLINGS) return null;
      return readMatches(grammar.query.matches(tree.rootNode, budget), text);
    });
  } catch (error) {
    if (isRuntimeFailure(error)) return null;
    throw error;
  }
}

function isRuntimeFailure(error: unknown): boolean {
  return error instanceof RangeError || (error instanceof Error && error.name === 'RuntimeError');
}

function readMatches(matches: QueryMatch[], text: string): Outline {
  const found: FoundDefinition[] = [];
  const calls: FoundDefinition[] = [];
  const prose: [number, number][] = [];
  const leading = new Set<number>();
  for (const match of matches) {
    const captured: Record<string, Node> = {};
    for (const capture of match.captures) captured[capture.name] = capture.node;
    const { name, scope, definition, container, call, body, comment, string } = captured;
    const words = comment ?? string;
    if (words) prose.push([words.startIndex, words.endIndex]);
    if (captured.leading) markRows(captured.leading, leading);
    else if (comment && beginsRow(comment, text)) markRows(comment, leading);
    const node = definition ?? container;
    if (node && name) found.push(toFound(node, body ?? node, nameOf(name, scope), container !== undefined));
    if (call && lastRow(call) > call.startPosition.row) calls.push(toFound(call, call, null, false));
  }
  const named = deduplicate(found);
  return {
    definitions: nest(named),
    blocks: nest([...named, ...calls].sort(inOrder)),
    prose: toDisjointRanges(prose),
    leading,
  };
}

function markRows(node: Node, rows: Set<number>): void {
  for (let row = node.startPosition.row; row <= lastRow(node); row++) rows.add(row);
}

function beginsRow(node: Node, text: string): boolean {
  return /^\s*$/.test(text.slice(text.lastIndexOf('\n', node.startIndex - 1) + 1, node.startIndex));
}

/** Some nodes (preprocessor lines) end at the beginning of the next row. */
function lastRow(node: Node): number {
  const { row, column } = node.endPosition;
  return column === 0 && row > node.startPosition.row ? row - 1 : row;
}

function toFound(
  from: Node,
  to: Node,
  name: { text: string; at: number } | null,
  container: boolean,
): FoundDefinition {
  const [start, end] = [from.startPosition.row, lastRow(to)];
  const definition = { start, end, names: name === null ? [] : [name.text], container, children: [] };
  return { from: from.startIndex, to: to.endIndex, nameAt: name?.at ?? from.startIndex, definition };
}

function nameOf(name: Node, scope: Node | undefined): { text: string; at: number } {
  return { text: cleanName(scope ? `${scope.text}.${name.text}` : name.text), at: name.startIndex };
}

/** Normalizes names: `Foo::bar<T>`, `module.exports.bar`, `Foo.prototype.bar`, `:bar` and `"bar"`. */
function cleanName(text: string): string {
  return text
    .replace(/<[^<>]*>/g, '')
    .replace(/::/g, '.')
    .replace(/\.prototype\b/g, '')
    .replace(/^(?:module\.exports|exports|this|window)\./, '')
    .replace(/["'`\s*&:]/g, '')
    .slice(0, MAX_NAME_LENGTH);
}

/**
 * Deduplicates definitions: of several matches of one name, such as a function with and without its decorator, the
 * largest stays; the names of one declaration are combined.
 */
function deduplicate(found: FoundDefinition[]): FoundDefinition[] {
  const byName = new Map<number, FoundDefinition>();
  for (const one of found) {
    const other = byName.get(one.nameAt);
    const more = other ? one.to - one.from - (other.to - other.from) : 1;
    if (more > 0) byName.set(one.nameAt, one);
    else if (more === 0 && one.definition.container) other!.definition.container = true;
  }
  const byRange = new Map<string, FoundDefinition>();
  for (const one of byName.values()) {
    const range = `${one.from}:${one.to}`;
    const other = byRange.get(range);
    if (other) other.definition.names.push(...one.definition.names);
    else byRange.set(range, one);
  }
  return [...byRange.values()].sort(inOrder);
}

/** Order of the beginnings; of two with the same, the enclosing one is first. */
const inOrder = (a: FoundDefinition, b: FoundDefinition) => a.from - b.from || b.to - a.to;

/** Nests copies, each in the smallest enclosing one, and prefixes names with that of the closest definition around. */
function nest(found: FoundDefinition[]): Definition[] {
  const roots: Definition[] = [];
  const open: { to: number; definition: Definition; prefix: string }[] = [];
  for (const { to, definition } of found) {
    while (open.length > 0 && open.at(-1)!.to < to) open.pop();
    const parent = open.at(-1);
    const isCall = definition.names.length === 0;
    // Within functions, code is cut by rows: cutting between calls ranked it lower.
    if (open.length === MAX_DEPTH || (isCall && parent?.prefix)) continue;
    const names = definition.names.map((name) => `${parent?.prefix ?? ''}${name}`);
    const nested = { ...definition, names, children: [] };
    (parent?.definition.children ?? roots).push(nested);
    open.push({ to, definition: nested, prefix: isCall ? '' : `${names[0]}.` });
  }
  return roots;
}

function toDisjointRanges(ranges: [number, number][]): number[] {
  const flat: number[] = [];
  let end = 0;
  for (const [from, to] of ranges.sort((a, b) => a[0] - b[0])) {
    if (to <= end) continue;
    flat.push(Math.max(from, end), to);
    end = to;
  }
  return flat;
}
