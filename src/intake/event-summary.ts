import { messageTitle } from '#investigate/trace/error-title.ts';
import type { ErrorEvent } from './error-event.ts';
import { stripDeployFolder } from './frame-names.ts';
import { selectInAppFrames } from './in-app.ts';

const MAX_TITLE_LENGTH = 300;

/** Title of an event in lists: type and first informative line of what was thrown, or that line of its message. */
export function eventTitle({ exceptions, message }: ErrorEvent): string {
  const [thrown, ...causes] = exceptions;
  const inner = causes.find(({ value }) => value?.trim())?.value;
  const text = messageTitle((thrown ? thrown.value : message) ?? '', inner);
  const title = [thrown?.type, text].filter(Boolean).join(': ');
  return cut(title || 'Error');
}

/** Function and file of the innermost frame of the application, else the transaction; null without either. */
export function eventCulprit({ exceptions, transaction }: ErrorEvent): string | null {
  const frame = exceptions
    .toReversed()
    .map(({ frames }) => selectInAppFrames(frames)[0])
    .find((found) => found !== undefined);
  const culprit = frame
    ? [frame.symbol, stripDeployFolder(frame.path)].filter(Boolean).join(' · ')
    : (transaction ?? null);
  return culprit ? cut(culprit) : null;
}

/** Shortens a text without half of a surrogate pair at its end, which PostgreSQL does not store. */
function cut(text: string): string {
  return text.slice(0, MAX_TITLE_LENGTH).toWellFormed();
}
