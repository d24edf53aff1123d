import type { ErrorEvent, EventException, EventFrame } from './error-event.ts';

const MAX_TEXT_LENGTH = 60_000;
/** Innermost frames of each exception that the text has. */
const MAX_TEXT_FRAMES = 60;

/** Renders an event as the error text that its runtime prints, so that it is investigated as if it had been pasted. */
export function eventText(event: ErrorEvent): string {
  const { exceptions, message, platform } = event;
  const text = exceptions.length === 0 ? (message ?? '') : (RENDERERS[platform] ?? stackText)(exceptions);
  // PostgreSQL does not store half of a surrogate pair.
  return text.slice(0, MAX_TEXT_LENGTH).toWellFormed();
}

const RENDERERS: Record<string, (exceptions: EventException[]) => string> = {
  python: pythonText,
  java: javaText,
  go: goText,
  ruby: rubyText,
  native: rustText,
};

function pathOf({ path, absPath }: EventFrame): string {
  return absPath?.includes('/') ? absPath : path;
}

function headerOf({ type, value }: EventException): string {
  return [type, value].filter(Boolean).join(': ') || 'Error';
}

/** Python: causes first, and the innermost frame last. */
function pythonText(exceptions: EventException[]): string {
  const tracebacks = exceptions.toReversed().map((exception) => {
    const lines = exception.frames
      .slice(0, MAX_TEXT_FRAMES)
      .toReversed()
      .map((frame) => {
        const at = `  File "${pathOf(frame)}", line ${frame.line ?? 1}, in ${frame.symbol ?? '<module>'}`;
        return frame.text ? `${at}\n    ${frame.text.trim()}` : at;
      });
    return ['Traceback (most recent call last):', ...lines, headerOf(exception)].join('\n');
  });
  return tracebacks.join('\n\nThe above exception was the direct cause of the following exception:\n\n');
}

function javaText(exceptions: EventException[]): string {
  const render = (frame: EventFrame) => {
    const name = frame.symbol?.slice(frame.symbol.lastIndexOf('.') + 1) ?? '<init>';
    const type = frame.module ?? frame.path.replace(/\.\w+$/, '').replaceAll('/', '.');
    const file = frame.path.slice(frame.path.lastIndexOf('/') + 1);
    return `\tat ${type}.${name}(${[file, frame.line].filter((part) => part !== null).join(':')})`;
  };
  return exceptions
    .map((exception, index) =>
      [
        `${index === 0 ? '' : 'Caused by: '}${headerOf({ ...exception, type: qualifiedType(exception) })}`,
        ...exception.frames.slice(0, MAX_TEXT_FRAMES).map(render),
      ].join('\n'),
    )
    .join('\n');
}

function qualifiedType({ type, module }: EventException): string | null {
  return type && module && !type.includes('.') ? `${module}.${type}` : type;
}

/** Go prints the function above its place, and one panic with its causes in brackets. */
function goText(exceptions: EventException[]): string {
  const render = (frame: EventFrame) =>
    `${[frame.module, frame.symbol ?? 'func1'].filter(Boolean).join('.')}(0x0)\n\t${pathOf(frame)}:${frame.line ?? 1} +0x1`;
  const root = exceptions.findLast(({ value }) => value) ?? exceptions[0]!;
  const { frames } = exceptions.findLast((one) => one.frames.length > 0) ?? root;
  const stack = frames.slice(0, MAX_TEXT_FRAMES).map(render);
  return [`panic: ${root.value ?? root.type ?? ''}`, '', 'goroutine 1 [running]:', ...stack].join('\n');
}

function rubyText(exceptions: EventException[]): string {
  return exceptions
    .map(({ type, value, frames }) => {
      const [first, ...others] = frames.slice(0, MAX_TEXT_FRAMES).map((frame) => {
        return `${pathOf(frame)}:${frame.line ?? 1}:in \`${frame.symbol ?? '<main>'}'`;
      });
      const header = `${first ?? 'main'}: ${value ?? ''} (${type ?? 'StandardError'})`;
      return [header, ...others.map((frame) => `\tfrom ${frame}`)].join('\n');
    })
    .join('\n');
}

function rustText(exceptions: EventException[]): string {
  const [thrown] = exceptions as [EventException];
  const frames = thrown.frames.slice(0, MAX_TEXT_FRAMES).map((frame, index) => {
    return `  ${index}: ${frame.symbol ?? '<unknown>'}\n             at ${pathOf(frame)}:${frame.line ?? 1}:${frame.column ?? 1}`;
  });
  const own = thrown.frames.find(({ inApp }) => inApp) ?? thrown.frames[0];
  const place = own ? `${pathOf(own)}:${own.line ?? 1}:1` : 'src/main.rs:1:1';
  return [`thread 'main' panicked at ${place}:`, thrown.value ?? '', 'stack backtrace:', ...frames].join(
    '\n',
  );
}

/** The form of V8, which names function, file, line and column: readable for frames of any other language. */
function stackText(exceptions: EventException[]): string {
  const render = (frame: EventFrame) => {
    const place = [frame.path, frame.line, frame.line && frame.column].filter(Boolean).join(':');
    return frame.symbol ? `    at ${frame.symbol} (${place})` : `    at ${place}`;
  };
  return exceptions
    .map((exception, index) =>
      [
        `${index === 0 ? '' : 'Caused by: '}${headerOf(exception)}`,
        ...exception.frames.slice(0, MAX_TEXT_FRAMES).map(render),
      ].join('\n'),
    )
    .join('\n');
}
