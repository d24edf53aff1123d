import type { Sentence } from '#contract/common.ts';
import { createSentence } from '#contract/sentence.ts';
import type { ChangedLine } from '#investigate/changed/find-changed-line.ts';
import type { CallingFrame } from '#investigate/guard/find-guard.ts';
import type { Investigation } from '#investigate/investigate.ts';
import { isUnclear } from '#investigate/kind/match-project.ts';
import type { PlacedFrame } from '#investigate/locate/place-frames.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { abbreviateHash } from '../answer/citations.ts';
import { isPlaceStated } from './error-claims.ts';

/** Sentence that names the cause, by the kind of the error; null when the evidence is insufficient. */
export function describeCause(found: Investigation, index: RepositoryIndex): Sentence | null {
  switch (found.kind) {
    case 'vague':
    case 'foreign':
      return null;
    case 'environment':
      return describeEnvironment(found);
    case 'guard':
      return describeGuard(found);
    case 'usage':
      return describeCallerFailure(found) ?? describeCaller(found);
    case 'regression':
      return describeCallerFailure(found) ?? describeRegression(found, index);
  }
}

function describeEnvironment({ environment }: Investigation): Sentence {
  const { outdated, fault } = environment;
  if (!outdated) return createSentence('debug.cause.environment', { found: toCode(fault?.found ?? '') });
  const { found, required, source } = outdated;
  return createSentence('debug.cause.outdated', {
    found,
    required: toCode(required ?? ''),
    source: source ?? '',
  });
}

function describeGuard({ guard }: Investigation): Sentence | null {
  if (!guard) return null;
  const { path, line, condition } = guard;
  return condition === ''
    ? createSentence('debug.cause.raised_always', { path, line })
    : createSentence('debug.cause.raised', { path, line, condition: toCode(condition) });
}

/** Names the line of the caller's own code that failed; null where a line of the project is known to be at fault. */
function describeCallerFailure(found: Investigation): Sentence | null {
  const { match, accused, changed, trace } = found;
  if (!match.callerFailure || changed || accused.length > 0) return null;
  const [frame] = match.isWithoutTrace ? [] : trace.frames;
  if (!frame) return isPlaceStated(found) ? null : createSentence('debug.cause.check_unclear', {});
  return createSentence(isUnclear(match) ? 'debug.cause.caller_unclear' : 'debug.cause.caller_failed', {
    caller: toCode(formatFrame({ frame, isInRepository: false })),
  });
}

function describeCaller(found: Investigation): Sentence | null {
  const [place] = found.places;
  if (!place || !isPlaceStated(found)) return null;
  const { path, focus: line, symbol } = place;
  const { callingFrame, failedAt } = found.caller;
  if (!place.isFocusKnown && symbol !== null) return describeFunctionCaller(toCode(symbol), found.caller);
  if (failedAt)
    return createSentence('debug.cause.failed_outside', { path, line, outside: formatFrame(failedAt) });
  return callingFrame
    ? createSentence('debug.cause.caller_at', { path, line, caller: formatFrame(callingFrame) })
    : createSentence('debug.cause.caller', { path, line });
}

/** Names the function where its failing line is unknown. */
function describeFunctionCaller(name: string, { callingFrame, failedAt }: Investigation['caller']): Sentence {
  if (failedAt)
    return createSentence('debug.cause.function_failed_outside', { name, outside: formatFrame(failedAt) });
  return callingFrame
    ? createSentence('debug.cause.function_caller_at', { name, caller: formatFrame(callingFrame) })
    : createSentence('debug.cause.function_caller', { name });
}

function describeRegression(found: Investigation, index: RepositoryIndex): Sentence | null {
  const { commits } = index;
  if (found.changed) return describeChange(found.changed, index);
  const [place] = found.places;
  if (!place || !isPlaceStated(found)) return null;
  const [suspect] = found.accused;
  const isLine = ({ path, line, range }: PlacedFrame) =>
    path === place.path && line === place.focus && !range;
  const isFrame = found.frames.some(isLine);
  if (!suspect)
    return isFrame
      ? createSentence('debug.cause.place_line', { path: place.path, line: place.focus })
      : createSentence('debug.cause.place_only', { path: place.path });
  const params = {
    path: place.path,
    line: place.focus,
    hash: abbreviateHash(commits.oid(suspect.commit), commits),
    subject: commits.subject(suspect.commit),
  };
  if (isFrame && suspect.blame?.path === place.path)
    return createSentence(suspect.blame.isExactLine ? 'debug.cause.line' : 'debug.cause.near', params);
  const isOrigin = found.origins.some(({ path, lines }) => path === place.path && lines[0] === place.focus);
  return createSentence(isOrigin ? 'debug.cause.message' : 'debug.cause.place', params);
}

function describeChange({ path, line, how, commit }: ChangedLine, { commits }: RepositoryIndex): Sentence {
  const hash = abbreviateHash(commits.oid(commit), commits);
  return createSentence(`debug.cause.line_${how}`, { path, line, hash, subject: commits.subject(commit) });
}

/** `path:12` of the frame that called in. */
export function formatFrame({ frame }: CallingFrame): string {
  return frame.line === null ? frame.path : `${frame.path}:${frame.line}`;
}

/** Text that stays one code span between backticks. */
function toCode(text: string): string {
  return text.replaceAll('`', 'ˋ');
}
