import type { ErrorEvent, EventException, EventFrame } from './error-event.ts';

const MAX_TEXT_LENGTH = 60_000;
/** Innermost frames of each exception that the text has. */
const MAX_TEXT_FRAMES = 60;

/** Renders an event as the error text that its runtime prints, so that it is investigated as if it had been pasted. */
export function eventText(event: ErrorEvent): string {
  const { exceptions, message, platform } = event;
  if (exceptions.length === 0) return (message ?? '').slice(0, MAX_TEXT_LENGTH);
  const render = platform === 'python' ? pythonText : platform === 'java' ? javaText : stackText;
  return render(exceptions).slice(0, MAX_TEXT_LENGTH);
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
        const at = `  File "${frame.absPath ?? frame.path}", line ${frame.line ?? 1}, in ${frame.symbol ?? '<module>'}`;
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
