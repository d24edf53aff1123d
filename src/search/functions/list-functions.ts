import type { CodeTable } from '#memory/repository-index.ts';
import { parseClassHeader, type DefinitionHeader, parseFunctionHeader, indentOf, isConstructor, isFunction } from './function-headers.ts';

/** A function of a file. */
export interface FunctionDefinition {
  /** Its full name, such as `Session.request`. */
  readonly symbol: string;
  /** Its first and its last line; of one that is written in pieces, of all of them. */
  start: number;
  end: number;
  /** Blanks before it. */
  readonly indent: number;
  /** Those that hold its lines; with others, where they are small. */
  readonly passages: number[];
}

/**
 * The functions of a file: named passages that are no constants and no classes, and those that share a passage with
 * their neighbours. What a function defines inside itself is a part of it. `lines` are the file's.
 */
export function listFunctions(code: CodeTable, file: number, lines: readonly string[]): FunctionDefinition[] {
  const { first, count } = code.filePassages(file);
  const language = code.fileLanguage(file);
  const found = new Map<string, FunctionDefinition>();
  const add = (passage: number, symbol: string, start: number, end: number, indent: number) => {
    const known = found.get(symbol);
    if (!known) found.set(symbol, { symbol, start, end, indent, passages: [passage] });
    else {
      [known.start, known.end] = [Math.min(known.start, start), Math.max(known.end, end)];
      if (known.passages.at(-1) !== passage) known.passages.push(passage);
    }
  };
  const kinds = new Map<string, boolean>();
  for (let passage = first; passage < first + count; passage++) {
    const symbol = code.passageSymbol(passage);
    const { start, end } = code.passageLines(passage);
    const rows = lines.slice(start - 1, end);
    const indent = indentOf(rows.find((row) => row.trim() !== '') ?? '');
    const outer = symbol && enclosingFunction(symbol, found);
    if (outer && (outer === symbol || indent > found.get(outer)!.indent)) {
      add(passage, outer, start, end, indent);
      continue;
    }
    const known = symbol !== null && (kinds.get(symbol) ?? isFunction(rows, symbol, language));
    if (symbol !== null) kinds.set(symbol, known);
    if (known) {
      add(passage, symbol!, start, end, indent);
      continue;
    }
    for (const one of functionsInRows(rows, language, symbol))
      add(passage, one.symbol, start + one.start, start + one.end, one.indent);
  }
  return [...found.values()];
}

/** The known function that this is, or that it lies in. */
function enclosingFunction(symbol: string, known: ReadonlyMap<string, FunctionDefinition>): string | null {
  for (let at = symbol.indexOf('.'); at > 0; at = symbol.indexOf('.', at + 1)) {
    if (known.has(symbol.slice(0, at))) return symbol.slice(0, at);
  }
  return known.has(symbol) ? symbol : null;
}

/** Functions that begin in rows of a class, or of nothing; their lines count from the first row, 0. */
function functionsInRows(
  rows: readonly string[],
  language: string,
  around: string | null,
): Omit<FunctionDefinition, 'passages'>[] {
  const found: Omit<FunctionDefinition, 'passages'>[] = [];
  const own = around?.slice(around.lastIndexOf('.') + 1);
  let classes: DefinitionHeader[] = [];
  let inside = Number.POSITIVE_INFINITY;
  rows.forEach((row, at) => {
    if (row.trim() === '' || indentOf(row) > inside) return;
    const opened = parseClassHeader(row);
    const begun = opened ? null : parseFunctionHeader(row, language, around !== null || classes.length > 0);
    if (!opened && !begun) return;
    const { name, indent } = (opened ?? begun)!;
    classes = classes.filter((outer) => outer.indent < indent);
    const last = found.at(-1);
    if (last && last.end === rows.length - 1) last.end = at - 1;
    inside = begun ? indent : Number.POSITIVE_INFINITY;
    if (opened && name !== own) classes.push(opened);
    if (!begun) return;
    const isOwn = name === own && !isConstructor(name, language);
    const symbol = isOwn
      ? around!
      : [around, ...classes.map((outer) => outer.name), name].filter((part) => part !== null).join('.');
    found.push({ symbol, start: at, end: rows.length - 1, indent });
  });
  return found;
}
