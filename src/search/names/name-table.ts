import { isNonSource } from '#evolution/fixes.ts';
import type { CodeTable, CommitTable, RepositoryIndex } from '#memory/repository-index.ts';
import { yieldIfDue } from '#scheduling/yield.ts';
import { createNameList, type NameList } from './name-list.ts';

/** Names of a repository at its indexed commit: all that is needed to find a thing by its name without the index. */
export interface NameTable {
  readonly files: NameList;
  /** 1 for tests, documents and examples, by file. */
  readonly nonSource: Uint8Array;
  readonly symbols: NameList;
  /** File, first and last line, by symbol. */
  readonly symbolFiles: Uint32Array;
  readonly symbolStarts: Uint32Array;
  readonly symbolEnds: Uint32Array;
  /** Subjects of commits, newest first, each behind a line feed. */
  readonly subjects: Subjects;
  /** Hashes in hexadecimal, all of the same length. */
  readonly hashes: Buffer;
  readonly hashLength: number;
  /** Commit times in seconds since 1970. */
  readonly times: Float64Array;
  readonly bytes: number;
}

interface Subjects {
  readonly text: Buffer;
  /** The same in lower case, with the same offsets. */
  readonly folded: Buffer;
  /** Place of the line feed before every subject, and the end of the last. */
  readonly offsets: Uint32Array;
}

const MAX_SUBJECT = 200;
/** Names that are read between two looks at the clock. */
const STEP = 500;

/** Collects the names of an index; yields to other work. */
export async function buildNameTable(
  { code, commits }: RepositoryIndex,
  signal?: AbortSignal,
): Promise<NameTable> {
  const paths: string[] = [];
  const symbols: FoundSymbol[] = [];
  for (let file = 0; file < (code?.fileCount ?? 0); file++) {
    paths.push(code!.filePath(file));
    collectSymbols(code!, file, symbols);
    if (file % STEP === 0) await yieldIfDue(signal);
  }
  const subjects = await collectSubjects(commits, signal);
  const files = createNameList(paths);
  const names = createNameList(symbols.map(({ name }) => name));
  const { hashes, hashLength, times } = collectHashes(commits);
  return {
    ...{ files, symbols: names, subjects, hashes, hashLength, times },
    nonSource: Uint8Array.from(paths, (path) => Number(isNonSource(path))),
    symbolFiles: Uint32Array.from(symbols, ({ file }) => file),
    symbolStarts: Uint32Array.from(symbols, ({ start }) => start),
    symbolEnds: Uint32Array.from(symbols, ({ end }) => end),
    bytes:
      files.bytes.length +
      names.bytes.length +
      20 * (paths.length + symbols.length) +
      2 * subjects.text.length +
      hashes.length,
  };
}

interface FoundSymbol {
  name: string;
  file: number;
  start: number;
  end: number;
}

/** A long definition has several passages, one after the other, and those of a class have its methods between them. */
function collectSymbols(code: CodeTable, file: number, found: FoundSymbol[]): void {
  const { first, count } = code.filePassages(file);
  const known = new Map<string, FoundSymbol>();
  let last = null as FoundSymbol | null;
  for (let passage = first; passage < first + count; passage++) {
    const name = code.passageSymbol(passage);
    const { start, end } = code.passageLines(passage);
    const continued = last && name !== null && isContinued(last.name, name) ? known.get(name) : undefined;
    if (continued) continued.end = end;
    last = continued ?? (name === null ? null : { name, file, start, end });
    if (!last || continued) continue;
    known.set(last.name, last);
    found.push(last);
  }
}

/** True when a passage of `name` continues the definition before it: the same one, or the class of that method. */
export function isContinued(before: string, name: string): boolean {
  return before === name || (before.startsWith(name) && /[.:#]/.test(before[name.length]!));
}

async function collectSubjects(commits: CommitTable, signal?: AbortSignal): Promise<Subjects> {
  const subjects: string[] = [];
  for (let commit = 0; commit < commits.count; commit++) {
    subjects.push(`\n${commits.subject(commit).slice(0, MAX_SUBJECT)}`);
    if (commit % STEP === 0) await yieldIfDue(signal);
  }
  const { bytes: text, offsets } = createNameList(subjects);
  // Letters beyond ASCII keep their case, so that both texts have the same offsets.
  const folded = Buffer.from(text);
  for (let i = 0; i < folded.length; i++) {
    const byte = folded[i]!;
    if (byte >= 65 && byte <= 90) folded[i] = byte + 32;
  }
  return { text, folded, offsets };
}

function collectHashes(commits: CommitTable): Pick<NameTable, 'hashes' | 'hashLength' | 'times'> {
  const hashLength = commits.count > 0 ? commits.oid(0).length : 40;
  const hashes = Buffer.alloc(commits.count * hashLength);
  const times = new Float64Array(commits.count);
  for (let commit = 0; commit < commits.count; commit++) {
    hashes.write(commits.oid(commit), commit * hashLength, 'latin1');
    times[commit] = commits.committed(commit);
  }
  return { hashes, hashLength, times };
}
