import { maskVariableParts } from '#investigate/trace/fingerprint.ts';
import { parseTrace } from '#investigate/trace/read-trace.ts';
import { parseTestLog } from '#test-reports/parse-log.ts';

/** Characters of an output that are parsed: its end, where runners print failures. */
const MAX_PARSED = 200_000;
const MIN_SHARED_WORDS = 0.5;

/** An error by which a failure is recognized. */
interface FailureSignature {
  /** Without its module: `ValueError` of `app.errors.ValueError`. */
  type: string | null;
  message: string;
}

/**
 * True when an output has the expected failure: an error of the same type whose message, without its values, is the same or
 * shares half of the words; without types, the message alone. An expected text that names no error fits every failure.
 */
export function isSameFailure(expected: string, output: string): boolean {
  const wanted = failureSignatures(expected);
  if (wanted.length === 0) return true;
  const found = failureSignatures(output.slice(-MAX_PARSED));
  const isInText = (message: string) => message !== '' && maskVariableParts(output).includes(message);
  return wanted.some(
    (one) => found.some((other) => isSame(one, other)) || (one.message.length > 12 && isInText(one.message)),
  );
}

function isSame(a: FailureSignature, b: FailureSignature): boolean {
  if (a.type !== null && b.type !== null) {
    if (a.type !== b.type) return false;
    // A failed assertion prints the compared values, which differ between revisions.
    if (/Assert|^Error$/i.test(a.type) === false && a.message !== '' && b.message !== '')
      return shareWords(a.message, b.message);
    return true;
  }
  if (a.message === '' || b.message === '') return true;
  return shareWords(a.message, b.message);
}

function shareWords(a: string, b: string): boolean {
  const [first, second] = [wordsOf(a), wordsOf(b)];
  if (first.size === 0 || second.size === 0) return true;
  const shared = [...first].filter((word) => second.has(word)).length;
  return shared >= MIN_SHARED_WORDS * Math.min(first.size, second.size);
}

function wordsOf(text: string): Set<string> {
  return new Set(text.match(/[\p{L}_]{2,}/gu) ?? []);
}

/** Signatures of the failures of a test log; those without a message say nothing. */
function failureSignatures(text: string): FailureSignature[] {
  return parseTestLog(text.slice(-MAX_PARSED)).failures.flatMap((failure) => {
    const trace = parseTrace(failure.text);
    const type = trace.errorType?.split(/[.:]/).findLast((part) => part !== '') ?? null;
    const message = maskVariableParts(trace.message);
    return type === null && message === '' ? [] : [{ type, message }];
  });
}
