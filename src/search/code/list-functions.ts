import type { CodeTable } from '#memory/repository-index.ts';
import {
  type DefinitionHeader,
  indentOf,
  isConstructor,
  isFunction,
  parseClassHeader,
  parseFunctionHeader,
} from './function-headers.ts';

/** A function defined in a file. */
export interface FunctionDefinition {
  /** Qualified name, such as `Session.request`. */
  readonly symbol: string;
  /** First and last line over all parts of the definition. */
  start: number;
  end: number;
  readonly indent: number;
  /** Passages with its lines; small functions share theirs with others. */
  readonly passages: number[];
}

/**
 * Lists the functions of a file: named passages that are neither constants nor classes, and small functions that share a
 * passage. Nested functions belong to the outer one. `lines` are those of the file.
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

/** The known function that a symbol names or is nested in. */
function enclosingFunction(symbol: string, known: ReadonlyMap<string, FunctionDefinition>): string | null {
  for (let at = symbol.indexOf('.'); at > 0; at = symbol.indexOf('.', at + 1)) {
    if (known.has(symbol.slice(0, at))) return symbol.slice(0, at);
  }
  return known.has(symbol) ? symbol : null;
}

/** Functions that start in the rows of a class or at the top level; their lines count from the first row, 0. */
function functionsInRows(
  rows: readonly string[],
  language: string,
  container: string | null,
): Omit<FunctionDefinition, 'passages'>[] {
  const found: Omit<FunctionDefinition, 'passages'>[] = [];
  const containerName = container?.slice(container.lastIndexOf('.') + 1);
  let classes: DefinitionHeader[] = [];
  let inside = Number.POSITIVE_INFINITY;
  rows.forEach((row, at) => {
    if (row.trim() === '' || indentOf(row) > inside) return;
    const classHeader = parseClassHeader(row);
    const functionHeader = classHeader
      ? null
      : parseFunctionHeader(row, language, container !== null || classes.length > 0);
    if (!classHeader && !functionHeader) return;
    const { name, indent } = (classHeader ?? functionHeader)!;
    classes = classes.filter((outer) => outer.indent < indent);
    const last = found.at(-1);
    if (last && last.end === rows.length - 1) last.end = at - 1;
    inside = functionHeader ? indent : Number.POSITIVE_INFINITY;
    if (classHeader && name !== containerName) classes.push(classHeader);
    if (!functionHeader) return;
    const isContainer = name === containerName && !isConstructor(name, language);
    const symbol = isContainer
      ? container!
      : [container, ...classes.map((outer) => outer.name), name].filter((part) => part !== null).join('.');
    found.push({ symbol, start: at, end: rows.length - 1, indent });
  });
  return found;
}
