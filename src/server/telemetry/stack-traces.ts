import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** A position in a file of JavaScript, as V8 prints it; line and column count from 1. */
const POSITION = /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/;

const maps = new Map<string, SourceMap | null>();

/**
 * Makes stack traces name lines of the sources where a file of JavaScript has a map beside it, as those of
 * `scripts/bundle-server.mjs` do. A map is read with the first trace that needs it; Node's `setSourceMapsSupport` reads each one with
 * its module, which takes 40 to 70 ms of a start.
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

/** A frame with the position in its source, unchanged where the file has no map. */
function mapFrame(frame: string): string {
  const [position, url, line, column] = POSITION.exec(frame) ?? [];
  const entry = url && findMap(url)?.findEntry(Number(line) - 1, Number(column) - 1);
  if (!entry || !('originalSource' in entry)) return frame;
  const source = fileURLToPath(new URL(entry.originalSource, url));
  return frame.replace(position!, `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`);
}

function findMap(url: string): SourceMap | null {
  let map = maps.get(url);
  if (map === undefined) {
    map = readMap(url);
    maps.set(url, map);
  }
  return map;
}

/** The map beside a file; null where there is none that can be read, since a trace must not fail. */
function readMap(url: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${url}.map`), 'utf8')));
  } catch {
    return null;
  }
}
