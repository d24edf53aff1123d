import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import { FlattenMap, originalPositionFor, sourceContentFor, type TraceMap } from '@jridgewell/trace-mapping';
import type { MappedPosition, SourceMapTask, SourceMapTaskResult } from './source-map-thread.ts';
import { storableText } from './storable-text.ts';

/** Bytes of an unpacked map, and sources that it may name. */
const MAX_MAP_BYTES = 64 * 2 ** 20;
const MAX_SOURCES = 50_000;
/** Maps that stay parsed. */
const CACHE_SIZE = 4;
const CONTEXT_LINES = 5;
const MAX_LINE_LENGTH = 400;
const MAX_PATH_LENGTH = 1_024;

const parsed = new Map<string, TraceMap>();

parentPort!.on('message', (task: SourceMapTask) => {
  let result: SourceMapTaskResult;
  try {
    result = { id: task.id, positions: runTask(task), problem: null };
  } catch (error) {
    result = { id: task.id, positions: [], problem: (error as Error).message.slice(0, 200) };
  }
  parentPort!.postMessage(result);
});

function runTask({ map, key, positions }: SourceMapTask): (MappedPosition | null)[] {
  const trace = key === undefined ? parseMap(readMap(map)) : openMap(key, map);
  return positions.map(({ line, column }) => mapPosition(trace, line, column));
}

/** Takes a parsed map from the cache, or parses it. */
function openMap(key: string, map: SourceMapTask['map']): TraceMap {
  const trace = parsed.get(key) ?? parseMap(readMap(map));
  parsed.delete(key);
  parsed.set(key, trace);
  if (parsed.size > CACHE_SIZE) parsed.delete(parsed.keys().next().value!);
  return trace;
}

function readMap(map: SourceMapTask['map']): Buffer {
  if (typeof map !== 'string') return Buffer.from(map);
  return gunzipSync(readFileSync(map), { maxOutputLength: MAX_MAP_BYTES });
}

function parseMap(content: Buffer): TraceMap {
  // Some servers put a line before the JSON, so that it is no script.
  const text = content.toString('utf8').replace(/^\)\]\}'[^\n]*\n/, '');
  const map = JSON.parse(text) as Record<string, unknown> | null;
  if (typeof map !== 'object' || map === null || map.version !== 3) throw new Error('no version 3');
  const hasSections = Array.isArray(map.sections) && map.sections.length <= MAX_SOURCES;
  if (!hasSections && (typeof map.mappings !== 'string' || !Array.isArray(map.sources)))
    throw new Error('no mappings or no sources');
  if (Array.isArray(map.sources) && map.sources.length > MAX_SOURCES) throw new Error('too many sources');
  return FlattenMap(map as never);
}

function mapPosition(map: TraceMap, line: number, column: number): MappedPosition | null {
  if (!Number.isSafeInteger(line) || line < 1 || !Number.isSafeInteger(column) || column < 0) return null;
  const found = originalPositionFor(map, { line, column });
  if (found.source === null) return null;
  const content = sourceContentFor(map, found.source);
  return {
    path: storableText(found.source, MAX_PATH_LENGTH),
    line: found.line,
    column: found.column,
    name: found.name === null ? null : storableText(found.name, MAX_LINE_LENGTH),
    ...linesAround(content, found.line),
  };
}

/** The line and those around it, cut to a readable length. */
function linesAround(
  content: string | null,
  line: number,
): Pick<MappedPosition, 'text' | 'before' | 'after'> {
  if (content === null) return { text: null, before: [], after: [] };
  const lines = content.split('\n', line + CONTEXT_LINES).map((text) => storableText(text, MAX_LINE_LENGTH));
  return {
    text: lines[line - 1] ?? null,
    before: lines.slice(Math.max(0, line - 1 - CONTEXT_LINES), line - 1),
    after: lines.slice(line),
  };
}
