import { constants } from 'node:fs';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { RECORDING } from './record-lines.ts';

/** Numbers of the executed lines, from 1, by path in the repository. */
export type ExecutedLines = ReadonlyMap<string, ReadonlySet<number>>;

/** Bytes of all files of a recording, and number of them; what the command wrote beyond is not read. */
const MAX_BYTES = 48 * 2 ** 20;
const MAX_FILES = 200;
const MAX_PATHS = 5_000;

/** Reads the recording of a run. `root` is the folder of the checkout as the command saw it; `readSource` reads a file of it. */
export async function readRecording(
  folder: string,
  { root, readSource }: { root: string; readSource: (path: string) => Promise<string | null> },
): Promise<ExecutedLines> {
  const lines = new LineSets();
  let left = MAX_BYTES;
  for (const file of await listFiles(folder)) {
    const text = await readText(join(folder, file), left);
    left -= text.length;
    if (file === RECORDING.go) addGoProfile(text, lines);
    else if (file.endsWith('.json') && !file.includes('/')) addPythonLines(text, root, lines);
    else await addNodeCoverage(text, { root, readSource, lines });
  }
  return lines.byPath;
}

/** Collects lines of a bounded number of files. */
class LineSets {
  readonly byPath = new Map<string, Set<number>>();

  of(path: string): Set<number> {
    const known = this.byPath.get(path);
    if (known) return known;
    const lines = new Set<number>();
    if (this.byPath.size < MAX_PATHS) this.byPath.set(path, lines);
    return lines;
  }
}

async function listFiles(folder: string): Promise<string[]> {
  const names = async (place: string) => await readdir(join(folder, place)).catch(() => []);
  const own = (await names('.')).filter((name) => name === RECORDING.go || /^python-\d+\.json$/.test(name));
  const node = (await names(RECORDING.v8)).filter((name) => name.endsWith('.json'));
  return [...own, ...node.map((name) => `${RECORDING.v8}/${name}`)].slice(0, MAX_FILES);
}

/** Reads a file that a command wrote: '' for a link, for what is no file, and beyond `max` bytes. */
async function readText(path: string, max: number): Promise<string> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  let file: FileHandle;
  try {
    file = await open(path, flags);
  } catch {
    return '';
  }
  try {
    const about = await file.stat();
    return about.isFile() && about.size <= max ? await file.readFile('utf8') : '';
  } finally {
    await file.close();
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function addPythonLines(text: string, root: string, lines: LineSets): void {
  const parsed = parseJson(text);
  if (typeof parsed !== 'object' || parsed === null) return;
  for (const [path, numbers] of Object.entries(parsed)) {
    if (!path.startsWith(`${root}/`) || !Array.isArray(numbers)) continue;
    const set = lines.of(path.slice(root.length + 1));
    for (const number of numbers) if (Number.isSafeInteger(number)) set.add(number);
  }
}

/** Lines of a profile such as `example.org/shop/cart.go:12.30,15.2 3 1`; packages are matched by the end of their path. */
const GO_BLOCK = /^(\S+):(\d{1,7})\.\d+,(\d{1,7})\.\d+ \d+ [1-9]\d*$/gm;

function addGoProfile(text: string, lines: LineSets): void {
  for (const [, path, from, to] of text.matchAll(GO_BLOCK)) {
    const set = lines.of(path!);
    for (let line = Number(from); line <= Math.min(Number(to), Number(from) + 10_000); line++) set.add(line);
  }
}

/** A function of a script, as a command may have written it. */
interface NodeFunction {
  ranges: ({ startOffset?: number; endOffset?: number; count?: number } | null)[];
}

interface NodeCoverage {
  root: string;
  readSource: (path: string) => Promise<string | null>;
  lines: LineSets;
}

/** Start of one script in the coverage of Node.js; those of dependencies, which are most of it, are not parsed. */
const SCRIPT = '{"scriptId":';

async function addNodeCoverage(text: string, { root, readSource, lines }: NodeCoverage): Promise<void> {
  const own = `"url":"file://${root}/`;
  for (const part of text.split(SCRIPT)) {
    const head = part.slice(0, 1_000);
    if (!head.includes(own) || head.includes('/node_modules/')) continue;
    const script = parseJson(
      SCRIPT + part.slice(0, part.lastIndexOf('}') + 1).replace(/\}\],"timestamp".*$/s, '}'),
    );
    const { url, functions } = (script ?? {}) as { url?: string; functions?: NodeFunction[] };
    const path = decodePath(url, root);
    const source = path === null ? null : await readSource(path);
    if (path === null || source === null || !Array.isArray(functions)) continue;
    for (const line of executedInFunctions(functions, source)) lines.of(path).add(line);
  }
}

function decodePath(url: string | undefined, root: string): string | null {
  const prefix = `file://${root}/`;
  if (typeof url !== 'string' || !url.startsWith(prefix)) return null;
  try {
    return decodeURIComponent(url.slice(prefix.length));
  } catch {
    return null;
  }
}

/** Lines of executed functions without their blocks that did not run; the first function is the module itself. */
function executedInFunctions(functions: readonly NodeFunction[], source: string): number[] {
  const starts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const isExecuted = new Uint8Array(starts.length + 1);
  for (const { ranges } of functions.slice(1).filter(Boolean)) {
    if (!Array.isArray(ranges)) continue;
    for (const range of ranges) {
      const { startOffset, endOffset, count } = range ?? {};
      if (typeof count !== 'number') continue;
      const [first, last] = [lineAt(starts, Number(startOffset)), lineAt(starts, Number(endOffset))];
      // The condition before a block that did not run is on its first line.
      if (count === 0) isExecuted.fill(0, first + 1, last);
      else isExecuted.fill(1, first, last + 1);
    }
  }
  return [...isExecuted.keys()].filter((line) => isExecuted[line] === 1);
}

/** Number of the line of an offset, from 1. */
function lineAt(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}
