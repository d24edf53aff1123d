import { isNonSource } from '#evolution/fixes.ts';
import { type BlobReader, openBlobReader } from '#git/blobs.ts';
import type { ChangedFile } from '#git/diff.ts';
import { detectGrammar } from '#memory/chunk/languages.ts';
import type { Definition } from '#memory/chunk/outline.ts';
import { findDefinitionsInText } from '#memory/chunk/parser-processes.ts';

/** Changed source files whose definitions are compared. */
const MAX_PARSED_FILES = 60;
const MAX_FILE_BYTES = 400_000;
/** Milliseconds after which the remaining files are left out and counted. */
const MAX_PARSE_MS = 4_000;

/** A function or type of a file. */
interface NamedSymbol {
  path: string;
  name: string;
  line: number;
}

/** Lists the functions and types that only one side of a comparison defines. */
export async function compareSymbols(repo: string, files: ChangedFile[], signal: AbortSignal) {
  const source = files.filter(({ path }) => !isNonSource(path) && detectGrammar(path, '') !== null);
  const until = performance.now() + MAX_PARSE_MS;
  let read = 0;
  const added: NamedSymbol[] = [];
  const removed: NamedSymbol[] = [];
  const blobs = openBlobReader(repo, { signal });
  try {
    for (const { path, oldPath, oldBlob, blob } of source.slice(0, MAX_PARSED_FILES)) {
      signal.throwIfAborted();
      if (performance.now() > until) break;
      read += 1;
      const old = await readSymbols(blobs, { blob: oldBlob, path: oldPath ?? path, signal });
      const fresh = await readSymbols(blobs, { blob, path, signal });
      added.push(...without(fresh, old));
      removed.push(...without(old, fresh));
    }
  } finally {
    blobs.close();
  }
  // A symbol that only moved to another file is neither.
  return {
    added: without(added, removed),
    removed: without(removed, added),
    files: read,
    total_files: source.length,
  };
}

function without(symbols: NamedSymbol[], others: NamedSymbol[]): NamedSymbol[] {
  const names = new Set(others.map(({ name }) => name));
  return symbols.filter(({ name }) => !names.has(name));
}

async function readSymbols(
  blobs: BlobReader,
  { blob, path, signal }: { blob: string | null; path: string; signal: AbortSignal },
): Promise<NamedSymbol[]> {
  const found = blob === null ? null : await blobs.read(blob, MAX_FILE_BYTES);
  if (!found || !('content' in found)) return [];
  const text = found.content.toString('utf8');
  const language = detectGrammar(path, text);
  if (language === null) return [];
  const definitions = await findDefinitionsInText(language, text, { signal });
  return definitions.flatMap((definition) => listSymbols(definition, path));
}

/** Names of definitions and of the members of containers; functions inside functions are left out. */
function listSymbols({ names, start, children, container }: Definition, path: string): NamedSymbol[] {
  const own = names.map((name) => ({ path, name, line: start + 1 }));
  return [...own, ...(container ? children.flatMap((child) => listSymbols(child, path)) : [])];
}
