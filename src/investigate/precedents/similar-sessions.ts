import type { FixingCommit } from '#contract/debug.ts';
import { errorFingerprint, withoutValues } from '../trace/fingerprint.ts';
import { parseTrace } from '../trace/read-trace.ts';

/** An earlier debug session of the project, as the caller stored it. */
export interface PastSession {
  id: string;
  /** What lists call the error. */
  title: string;
  error: string;
  solution: string;
  /** The commit that was suspected. */
  hash?: string;
  helpful: boolean | null;
  /** Its cause in one sentence; null where none was named. */
  cause?: string | null;
  /** The commit that resolved it, as a member has confirmed. */
  fix?: FixingCommit | null;
  /** ISO 8601. */
  seenAt: string;
}

/** Whether people know how its error ended: it helped, or a commit resolved it. */
export function isSolved({ helpful, fix }: PastSession): boolean {
  return helpful === true || Boolean(fix);
}

/** A session that asked about the same error, or one like it. */
export interface SimilarSession {
  session: PastSession;
  /** 1 for the same fingerprint. */
  similarity: number;
}

const MAX_SESSIONS = 3;
const MIN_SIMILARITY = 0.6;
/** Stored errors are long; their head tells whether they are alike. */
const MAX_ERROR_LENGTH = 4_000;

/** Earlier sessions about the same or a like error; the same first, then those that helped, then the newest. */
export function findSimilarSessions(error: string, sessions: PastSession[]): SimilarSession[] {
  const own = summarizeError(error);
  return sessions
    .map((session) => ({ session, similarity: errorSimilarity(own, summarizeError(session.error)) }))
    .filter(({ similarity }) => similarity >= MIN_SIMILARITY)
    .sort(
      (a, b) =>
        b.similarity - a.similarity ||
        Number(b.session.helpful === true) - Number(a.session.helpful === true) ||
        b.session.seenAt.localeCompare(a.session.seenAt),
    );
}

/** Those of the alike sessions that an answer shows, the solved first; not the ones that were only said not to help. */
export function selectShownSessions(alike: SimilarSession[]): SimilarSession[] {
  return alike
    .filter(({ session }) => session.helpful !== false || session.fix)
    .toSorted((a, b) => Number(isSolved(b.session)) - Number(isSolved(a.session)))
    .slice(0, MAX_SESSIONS);
}

interface ErrorSummary {
  fingerprint: string;
  type: string | null;
  words: Set<string>;
}

function summarizeError(error: string): ErrorSummary {
  const trace = parseTrace(error.slice(0, MAX_ERROR_LENGTH));
  const words = withoutValues(trace.message).split(/[^\p{L}\p{N}_]+/u);
  return {
    fingerprint: errorFingerprint(trace),
    type: trace.errorType,
    words: new Set(words.filter((word) => word.length > 2)),
  };
}

/** Share of the words that two messages have in common; another error type halves it. */
function errorSimilarity(a: ErrorSummary, b: ErrorSummary): number {
  if (a.fingerprint === b.fingerprint) return 1;
  const shared = [...a.words].filter((word) => b.words.has(word)).length;
  const all = a.words.size + b.words.size - shared;
  return all === 0 ? 0 : (0.95 * shared * (a.type === b.type ? 1 : 0.5)) / all;
}
