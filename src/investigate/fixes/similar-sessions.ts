import type { FixingCommit } from '#contract/debug.ts';
import { errorFingerprint, maskVariableParts } from '../trace/fingerprint.ts';
import { parseTrace } from '../trace/read-trace.ts';

/** An earlier debug session of the project. */
export interface PastSession {
  id: string;
  /** Title of the error in lists. */
  title: string;
  error: string;
  solution: string;
  /** The suspected commit. */
  hash?: string;
  helpful: boolean | null;
  /** Its cause in one sentence; null where none was named. */
  cause?: string | null;
  /** The commit that resolved it, confirmed by a member. */
  fix?: FixingCommit | null;
  /** ISO 8601. */
  seenAt: string;
}

/** True when its answer helped or a commit resolved its error. */
export function isSolved({ helpful, fix }: PastSession): boolean {
  return helpful === true || Boolean(fix);
}

/** An earlier session about the same or a similar error. */
export interface SimilarSession {
  session: PastSession;
  /** 1 for the same fingerprint. */
  similarity: number;
}

const MAX_SESSIONS = 3;
const MIN_SIMILARITY = 0.6;
/** Characters of a stored error that are compared. */
const MAX_ERROR_LENGTH = 4_000;

/** Finds earlier sessions about similar errors, ordered by similarity, then helpfulness, then recency. */
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

/** Selects the sessions that an answer shows, solved ones first; leaves out unhelpful sessions without a fix. */
export function selectShownSessions(similar: SimilarSession[]): SimilarSession[] {
  return similar
    .filter(({ session }) => session.helpful !== false || session.fix)
    .toSorted((a, b) => Number(isSolved(b.session)) - Number(isSolved(a.session)))
    .slice(0, MAX_SESSIONS);
}

interface ErrorSummary {
  fingerprint: string;
  type: string | null;
  words: Set<string>;
}

/** Summarizes what two errors are compared by. */
export function summarizeError(error: string): ErrorSummary {
  const trace = parseTrace(error.slice(0, MAX_ERROR_LENGTH));
  const words = maskVariableParts(trace.message).split(/[^\p{L}\p{N}_]+/u);
  return {
    fingerprint: errorFingerprint(trace),
    type: trace.errorType,
    words: new Set(words.filter((word) => word.length > 2)),
  };
}

/** Jaccard similarity of the words of two messages, halved for different error types; 1 for the same fingerprint. */
export function errorSimilarity(a: ErrorSummary, b: ErrorSummary): number {
  if (a.fingerprint === b.fingerprint) return 1;
  const shared = [...a.words].filter((word) => b.words.has(word)).length;
  const all = a.words.size + b.words.size - shared;
  return all === 0 ? 0 : (0.95 * shared * (a.type === b.type ? 1 : 0.5)) / all;
}
