import type { ErrorEventDetail, ErrorEventFrame } from '#contract/error-events.ts';

/** Characters of an error text that a request may have. */
const MAX_LENGTH = 50_000;

/** Writes an event as an error text: each exception with its frames, innermost first, as `at symbol (path:line:column)`. */
export function formatEventText({ title, message, exceptions }: ErrorEventDetail): string {
  const blocks = exceptions.map(({ type, value, frames }, index) => {
    const head = [type, value].filter(Boolean).join(': ') || title;
    return [index === 0 ? head : `Caused by: ${head}`, ...frames.map(formatFrame)].join('\n');
  });
  return (blocks.length === 0 ? (message ?? title) : blocks.join('\n')).slice(0, MAX_LENGTH);
}

function formatFrame({ file, path, line, column, symbol }: ErrorEventFrame): string {
  const place = [file ?? path, line, column].filter((part) => part !== null).join(':');
  return symbol ? `    at ${symbol} (${place})` : `    at ${place}`;
}
