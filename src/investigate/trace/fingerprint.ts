import { createHash } from 'node:crypto';
import type { Trace } from './trace.ts';

/** Parts that differ between occurrences of an error: quoted values, URLs, hashes, numbers, paths, ids. */
const VARIABLE_PARTS =
  /"[^"\n]{0,200}"|'[^'\n]{0,200}'|`[^`\n]{0,200}`|https?:\/\/[^\s]{1,400}|0x[0-9a-f]{1,32}|\b[0-9a-f]{8}-[0-9a-f-]{27}\b|\b(?=[0-9a-f]*\d)[0-9a-f]{7,64}\b|(?:[A-Za-z]:)?(?:[\w.@~-]{0,100}[\\/]){1,40}[\w.@~-]{1,100}|\d+(?:\.\d+)?/gi;
/** Innermost frames in the fingerprint; more would distinguish callers of the same error. */
const MAX_FRAMES = 3;

/**
 * Fingerprint of an error in 32 hexadecimal digits: type, message without values, and the innermost functions without
 * line numbers, so that it survives edits elsewhere.
 */
export function errorFingerprint(trace: Trace): string {
  const frames = trace.frames
    .slice(0, MAX_FRAMES)
    .map(({ path, symbol }) => `${path.slice(path.lastIndexOf('/') + 1)} ${symbol ?? ''}`);
  const parts = [trace.errorType ?? '', trace.code ?? '', maskVariableParts(trace.message), ...frames];
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 32);
}

/** Replaces every variable part of a message by `•`. */
export function maskVariableParts(message: string): string {
  return message.replace(VARIABLE_PARTS, '•').replace(/\s+/g, ' ').trim().toLowerCase();
}
