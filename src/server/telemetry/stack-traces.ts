import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A position in a file of JavaScript, as V8 prints it; the line counts from 1. */
const POSITION = /(file:\/\/[^\s()]+\.js):(\d+):\d+/;

/** The place where each line of a file begins in its sources. */
interface LineMap {
  /** URLs; null for code without a source. */
  sources: (string | null)[];
  /** For each line the number of its source, or -1, and its line and column there, which count from 0. */
  starts: Int32Array;
}

const maps = new Map<string, LineMap | null>();

/**
 * Makes stack traces name lines of the sources where a file of JavaScript has a map beside it, as those of
 * `scripts/bundle-server.mjs` do. A map is read with the first trace that needs it, by lines alone: 0.16 s and 20 MB for the largest one.
 * Node's `setSourceMapsSupport` reads each one with its module, 40 to 70 ms of a start, and takes 110 MB for the first trace.
 */
export function mapStackTraces(): void {
  Error.prepareStackTrace = (error, frames) =>
    [formatError(error), ...frames.map((frame) => `    at ${mapFrame(String(frame))}`)].join('\n');
}

/** Text of an error; one whose properties throw gets a general one. */
function formatError(error: Error): string {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return 'Error';
  }
}

/** A frame with the place of its line in the sources, unchanged where that is unknown. */
function mapFrame(frame: string): string {
  const [position, url, line] = POSITION.exec(frame) ?? [];
  const map = url === undefined ? null : findMap(url);
  const at = 3 * (Number(line) - 1);
  const source = map?.sources[map.starts[at] ?? -1];
  if (typeof source !== 'string') return frame;
  const [row, column] = map!.starts.subarray(at + 1, at + 3);
  return frame.replace(position!, `${fileURLToPath(new URL(source, url))}:${row! + 1}:${column! + 1}`);
}

function findMap(url: string): LineMap | null {
  let map = maps.get(url);
  if (map === undefined) {
    map = readMap(url);
    maps.set(url, map);
  }
  return map;
}

/** The map beside a file; null where there is none that can be read, since a trace must not fail. */
function readMap(url: string): LineMap | null {
  try {
    const { sources, mappings } = JSON.parse(readFileSync(new URL(`${url}.map`), 'utf8'));
    return { sources, starts: firstSegments(mappings) };
  } catch {
    return null;
  }
}

const DIGITS = new Uint8Array(128);
for (const [value, digit] of [
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
].entries())
  DIGITS[digit.charCodeAt(0)] = value;
const [COMMA, SEMICOLON] = [','.charCodeAt(0), ';'.charCodeAt(0)];

/**
 * The first segment of each line that names a source, as in `LineMap`. Lines are separated by `;`, segments by `,`; a segment is 1, 4 or 5
 * numbers in base64 VLQ (column, source, line and column in it, name), each the difference from the one before (ECMA-426).
 */
function firstSegments(mappings: string): Int32Array {
  const starts = new Int32Array(3 * countLines(mappings)).fill(-1);
  const numbers = new Int32Array(5);
  let [line, field, value, shift] = [0, 0, 0, 0];
  for (let i = 0; i <= mappings.length; i++) {
    const code = i < mappings.length ? mappings.charCodeAt(i) : SEMICOLON;
    if (code !== COMMA && code !== SEMICOLON) {
      const digit = DIGITS[code]!;
      value |= (digit & 31) << shift;
      shift += 5;
      if (digit & 32) continue;
      numbers[field++]! += value & 1 ? -(value >> 1) : value >> 1;
      [value, shift] = [0, 0];
      continue;
    }
    if (field >= 4 && starts[3 * line] === -1) starts.set(numbers.subarray(1, 4), 3 * line);
    field = 0;
    if (code === SEMICOLON) [line, numbers[0]] = [line + 1, 0];
  }
  return starts;
}

function countLines(mappings: string): number {
  let lines = 1;
  for (let at = mappings.indexOf(';'); at >= 0; at = mappings.indexOf(';', at + 1)) lines++;
  return lines;
}
