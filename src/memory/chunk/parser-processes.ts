import { extname } from 'node:path';
import { AppError } from '#contract/errors.ts';
import { createProcessPool, type ProcessPool } from '#sandbox/process-pool.ts';
import { type GrammarLanguage, hasGrammar } from './languages.ts';
import type { Definition } from './outline.ts';
import { type ChunkedFile, chunkByLines } from './passages.ts';
import type { ChangeCheck } from './undefined-names.ts';

/** Task of the parser process. */
export type ParserTask =
  | { kind: 'chunk'; path: string; text: string }
  | { kind: 'definitions'; language: GrammarLanguage; text: string }
  | { kind: 'runtime-tokens'; path: string; before: string; after: string }
  | { kind: 'change'; path: string; before: string; after: string };

/** Result by kind of task. */
export type ParserResult = ChunkedFile | Definition[] | ChangeCheck | boolean | null;

interface ParseOptions {
  signal?: AbortSignal | undefined;
}

/** The parser needs a gigabyte for half a megabyte of the worst text. */
const LIMITS = { heapMb: 256, memoryMb: 1536, cpuS: 3600, fileBytes: 0 };
const TIMEOUT_MS = 20_000;

/** Pool of this thread: its process starts with the first text and ends a minute after the last. */
let pool: ProcessPool<ParserTask, ParserResult> | undefined;

/** Parses in a child process. Null when the text exceeds its limits, which ends the process. */
async function parse(task: ParserTask, { signal }: ParseOptions): Promise<ParserResult> {
  pool ??= createProcessPool<ParserTask, ParserResult>({
    // The same extension as this file: TypeScript in the repository, JavaScript once compiled.
    program: new URL(`./parser-program${extname(import.meta.url)}`, import.meta.url),
    limits: LIMITS,
    maxProcesses: 1,
    maxWaiting: 1000,
    timeoutMs: TIMEOUT_MS,
    maxTasksPerProcess: 20_000,
  });
  try {
    return await pool.run(task, { signal });
  } catch (error) {
    if (signal?.aborted || (error instanceof AppError && error.reason === 'busy')) throw error;
    return null;
  }
}

/** Runs `chunkFile` in a child process; chunks by lines where that fails. */
export async function chunkFileInProcess(
  path: string,
  text: string,
  options: ParseOptions,
): Promise<ChunkedFile> {
  const found = await parse({ kind: 'chunk', path, text }, options);
  return (found as ChunkedFile | null) ?? chunkByLines(path, text);
}

/** Finds the definitions of a text in the order of its lines; empty without a grammar. */
export async function findDefinitionsInText(
  language: string,
  text: string,
  options: ParseOptions,
): Promise<Definition[]> {
  if (!hasGrammar(language)) return [];
  return ((await parse({ kind: 'definitions', language, text }, options)) as Definition[] | null) ?? [];
}

/** Runs `hasSameRuntimeTokens` in a child process; false where that fails. */
export async function hasSameRuntimeTokensInProcess(
  path: string,
  before: string,
  after: string,
  options: ParseOptions = {},
): Promise<boolean> {
  return (await parse({ kind: 'runtime-tokens', path, before, after }, options)) === true;
}

/** Runs `checkChange` in a child process; null where that fails. */
export async function checkChangeInProcess(
  path: string,
  before: string,
  after: string,
  options: ParseOptions = {},
): Promise<ChangeCheck | null> {
  return (await parse({ kind: 'change', path, before, after }, options)) as ChangeCheck | null;
}
