import { isNonSource } from '#evolution/fixes.ts';
import { openBlobReader } from '#git/blobs.ts';
import type { ChangedFile } from '#git/diff.ts';
import { findEntry } from '#git/tree.ts';
import { detectGrammar } from '#memory/chunk/languages.ts';
import type { Definition } from '#memory/chunk/outline.ts';
import { findDefinitionsInText } from '#memory/chunk/parser-processes.ts';

/** Changed source files whose definitions are compared. */
export const MAX_PARSED_FILES = 60;
const MAX_FILE_BYTES = 400_000;

/** A function or type of a file. */
interface NamedSymbol {
  path: string;
  name: string;
  line: number;
}

/** Lists the functions and types that only one side of a comparison defines. */
export async function compareSymbols(
  repo: string,
  [before, after]: [before: string, after: string],
  { files, signal }: { files: ChangedFile[]; signal: AbortSignal },
) {
  const source = files.filter(({ path }) => !isNonSource(path) && detectGrammar(path, '') !== null);
  const read = source.slice(0, MAX_PARSED_FILES);
  const added: NamedSymbol[] = [];
  const removed: NamedSymbol[] = [];
  for (const { status, path, oldPath } of read) {
    signal.throwIfAborted();
    const old = status === 'A' ? [] : await readSymbols(repo, before, oldPath ?? path, signal);
    const fresh = status === 'D' ? [] : await readSymbols(repo, after, path, signal);
    added.push(...without(fresh, old));
    removed.push(...without(old, fresh));
  }
  // A symbol that only moved to another file is neither.
  return {
    added: without(added, removed),
    removed: without(removed, added),
    files: read.length,
    total_files: source.length,
  };
}

function without(symbols: NamedSymbol[], others: NamedSymbol[]): NamedSymbol[] {
  const names = new Set(others.map(({ name }) => name));
  return symbols.filter(({ name }) => !names.has(name));
}

async function readSymbols(
  repo: string,
  commit: string,
  path: string,
  signal: AbortSignal,
): Promise<NamedSymbol[]> {
  const entry = await findEntry(repo, commit, path);
  if (entry?.type !== 'blob' || (entry.size ?? 0) > MAX_FILE_BYTES) return [];
  const blobs = openBlobReader(repo, { signal });
  try {
    const blob = await blobs.read(entry.oid, MAX_FILE_BYTES);
    if (!blob || !('content' in blob)) return [];
    const text = blob.content.toString('utf8');
    const language = detectGrammar(path, text);
    if (language === null) return [];
    const definitions = await findDefinitionsInText(language, text, { signal });
    return definitions.flatMap((definition) => listSymbols(definition, path));
  } finally {
    blobs.close();
  }
}

/** Names of definitions and of the members of containers; functions inside functions are left out. */
function listSymbols({ names, start, children, container }: Definition, path: string): NamedSymbol[] {
  const own = names.map((name) => ({ path, name, line: start + 1 }));
  return [...own, ...(container ? children.flatMap((child) => listSymbols(child, path)) : [])];
}
