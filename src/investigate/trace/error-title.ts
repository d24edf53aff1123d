import type { Trace } from './trace.ts';

const MAX_TITLE_LENGTH = 300;

/** What an error is called in a list: its type and the first line of its message. */
export function errorTitle(trace: Trace): string {
  const message = firstLine(trace.message);
  if (message === '') return (trace.errorType ?? firstLine(trace.lines.join('\n'))).slice(0, MAX_TITLE_LENGTH);
  const named = trace.errorType === null || message.startsWith(trace.errorType);
  return (named ? message : `${trace.errorType}: ${message}`).slice(0, MAX_TITLE_LENGTH);
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0]!.trim();
}
