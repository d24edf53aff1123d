import { LRUCache } from 'lru-cache';
import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import type { CodeTable } from '#memory/repository-index.ts';

const IDENTIFIER = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
/** Identifiers of a passage that are looked up. */
const MAX_IDENTIFIERS = 600;

/** Names in the latest passages of an index: several intents read the same ones. */
const recentNames = memoizeByIdentity((_code: CodeTable) => new LRUCache<number, string[]>({ max: 1_000 }));

/**
 * Full names that a passage defines, as far as they can be told from its lines; several small definitions share one. Reads the
 * passage from disk.
 */
export function namesDefinedIn(code: CodeTable, passage: number): readonly string[] {
  const known = recentNames(code).get(passage);
  if (known) return known;
  const names = readNames(code, passage);
  recentNames(code).set(passage, names);
  return names;
}

function readNames(code: CodeTable, passage: number): string[] {
  const symbol = code.passageSymbol(passage);
  const text = code.passageText(passage);
  if (text === null) return symbol === null ? [] : [symbol];
  const found = symbol !== null && defines(code, symbol, passage) ? [symbol] : [];
  const identifiers = new Set(text.match(IDENTIFIER)?.slice(0, MAX_IDENTIFIERS));
  for (const name of identifiers) {
    if (found.some((full) => full === name || full.endsWith(`.${name}`)) || !defines(code, name, passage))
      continue;
    const full = symbol === null ? name : `${symbol}.${name}`;
    found.push(symbol !== null && defines(code, full, passage) ? full : name);
  }
  return found;
}

function defines(code: CodeTable, name: string, passage: number): boolean {
  return code.passagesDefining(name).includes(passage);
}

/** True when a passage spells a name as written: in its symbol, or in its lines where small definitions share it. */
export function spellsName(code: CodeTable, passage: number, name: string): boolean {
  const symbol = code.passageSymbol(passage);
  if (symbol !== null && (symbol === name || symbol.endsWith(`.${name}`))) return true;
  if (symbol?.toLowerCase().endsWith(name.toLowerCase())) return false;
  return code.passageText(passage)?.includes(name.slice(name.lastIndexOf('.') + 1)) ?? true;
}
