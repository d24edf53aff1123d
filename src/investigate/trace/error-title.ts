import { firstLine } from '#contract/first-line.ts';
import type { Trace } from './trace.ts';

const MAX_TITLE_LENGTH = 300;

/** Title of an error in lists: its type and the first line of its message. */
export function errorTitle(trace: Trace): string {
  const message = firstLine(trace.message.trim()).trim();
  if (message === '')
    return (trace.errorType ?? firstLine(trace.lines.join('\n').trim()).trim()).slice(0, MAX_TITLE_LENGTH);
  const hasType = trace.errorType === null || message.startsWith(trace.errorType);
  return (hasType ? message : `${trace.errorType}: ${message}`).slice(0, MAX_TITLE_LENGTH);
}
