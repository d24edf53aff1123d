import type { ErrorEvent, EventFrame } from './error-event.ts';
import type { MappedPosition } from './source-map-thread.ts';

/** Generated files whose frames may have a source map. */
const GENERATED_FILE = /\.(?:[cm]?jsx?|jsbundle|bundle)$/i;
/** Frames of an event that are looked up. */
const MAX_MAPPED_FRAMES = 100;

/** A frame of a generated file. */
interface GeneratedFrame {
  frame: EventFrame;
  line: number;
  /** Counted from 0. */
  column: number;
}

/** Frames of an event by generated file, as the event names it. */
export function generatedFrames(event: ErrorEvent): Map<string, GeneratedFrame[]> {
  const found = event.exceptions
    .flatMap(({ frames }) => frames)
    .filter(({ path, line, column }) => line !== null && column !== undefined && GENERATED_FILE.test(path))
    .filter(({ path, absPath }) => !/(?:^|\/)node_modules\/|^node:/.test(absPath ?? path))
    .slice(0, MAX_MAPPED_FRAMES)
    .map((frame) => ({ frame, line: frame.line!, column: Math.max(0, frame.column! - 1) }));
  return Map.groupBy(found, ({ frame }) => frame.path);
}

/** Replaces frames of generated files by their places in the sources. Null when no frame has one. */
export function applyPositions(
  event: ErrorEvent,
  positions: ReadonlyMap<EventFrame, MappedPosition>,
): ErrorEvent | null {
  if (positions.size === 0) return null;
  const exceptions = event.exceptions.map((exception) => ({
    ...exception,
    frames: exception.frames.map((frame, index, frames) => {
      const position = positions.get(frame);
      if (!position) return frame;
      // The call in the frame outside names the function; its own position names what failed.
      const outer = frames[index + 1];
      const called = outer && positions.get(outer)?.name;
      return sourceFrame(frame, position, called ?? null);
    }),
  }));
  return { ...event, exceptions };
}

function sourceFrame(frame: EventFrame, position: MappedPosition, called: string | null): EventFrame {
  const { inApp, symbol } = frame;
  const path = sourcePath(position.path);
  const name = called ?? (symbol !== undefined && symbol.length > 2 ? symbol : undefined);
  const isLibrary = /(?:^|\/)node_modules\//.test(path) || /^webpack\//.test(path);
  return {
    path,
    line: position.line,
    column: position.column + 1,
    ...(name !== undefined && { symbol: name }),
    ...(position.text !== null && {
      text: position.text,
      before: position.before,
      after: position.after,
    }),
    ...(isLibrary ? { inApp: false } : inApp !== undefined && { inApp }),
    generated: { path: frame.path, line: frame.line, column: frame.column ?? null },
  };
}

/** Path of a source without the schemes and leading dots that bundlers write. */
function sourcePath(source: string): string {
  return source
    .replace(/^(?:webpack(?:-internal)?|rollup|vite|ng|turbopack|app):\/\/\/?(?:[^/]*\/(?=\.|src\/))?/, '')
    .replace(/^(?:\.{1,2}\/)+/, '')
    .replace(/^\(\w+\)\/\.?\/?/, '')
    .replace(/[?#].*$/, '')
    .slice(0, 1_024)
    .toWellFormed();
}
