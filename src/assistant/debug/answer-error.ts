import type { DebugAnswer, Place, SimilarError, Suspect } from '#contract/debug.ts';
import type { ErrorReport } from '#investigate/text/error-report.ts';
import { type InvestigateDeps, type Investigation, investigate } from '#investigate/investigate.ts';
import { isSolved, type PastSession, shownSessions } from '#investigate/precedents/similar-sessions.ts';
import { errorTitle } from '#investigate/trace/error-title.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { strikeUnresolvedCitations } from '../citations.ts';
import { commitRef } from '../commit-ref.ts';
import { listAdvice } from './advice.ts';
import { describeCause, formatSolution } from './solution.ts';
import { buildTimeline } from './timeline.ts';

/** An answer before it is stored: without its numbers and times, with what lists and groups call the error. */
export type ErrorAnswer = Omit<DebugAnswer, 'id' | 'number' | 'took_ms'> & {
  fingerprint: string;
  title: string;
};

/** Answers an error from the repository's evidence, without a model. */
export async function answerError(request: ErrorReport, deps: InvestigateDeps): Promise<ErrorAnswer> {
  const found = await investigate(request, deps);
  const { memory } = deps;
  const round = (value: number) => Math.round(value * 1000) / 1000;
  return {
    fingerprint: found.fingerprint,
    title: errorTitle(found.trace),
    solution: await strikeUnresolvedCitations(formatSolution(found, memory), deps),
    confidence: round(found.confidence.value),
    abstained: found.confidence.abstained,
    calibration: deps.trust?.outcomes ? deps.trust : null,
    context: {
      similar_errors: similarErrors(found, memory),
      code_suggestions: listAdvice(found, memory),
    },
    root_cause: describeCause(found, memory),
    places: found.places.map(
      ({ path, start, end, symbol, score, why }): Place => ({
        path,
        start_line: start,
        end_line: end,
        symbol,
        score: round(score),
        why,
      }),
    ),
    suspect_commits: found.suspects.map(
      ({ commit, score, why, path, hunk }): Suspect => ({
        ...commitRef(memory, commit),
        score: round(score),
        why,
        path,
        hunk,
      }),
    ),
    patch: found.patch?.text ?? null,
    evidence: found.evidence,
    timeline: buildTimeline(found, memory, deps.now),
    indexed_commit: found.revision,
  };
}

/** Of a solved session's answer, as much as a reader takes in beside a new one. */
const MAX_SOLUTION_LENGTH = 3_000;

/** Earlier fixes and sessions together: the solved sessions first, then the likest. */
function similarErrors({ precedents, sessions }: Investigation, memory: RepositoryIndex): SimilarError[] {
  const fixes = precedents.map(({ commit, similarity, held, path, hunk }): SimilarError => {
    const { message, hash, author, timestamp } = commitRef(memory, commit);
    return { content: message, similarity, hash, outcome: held, author, timestamp, path, hunk };
  });
  const asked = shownSessions(sessions).map(({ session, similarity }): SimilarError => {
    return { content: session.title, similarity, session_id: session.id, ...outcomeFields(session) };
  });
  return [...fixes, ...asked]
    .map((one) => ({ ...one, similarity: Math.round(Math.min(1, one.similarity) * 1000) / 1000 }))
    .sort((a, b) => Number(Boolean(b.resolution)) - Number(Boolean(a.resolution)) || b.similarity - a.similarity);
}

/** How a session ended: the commit that resolved it, else the one that was suspected. */
function outcomeFields(session: PastSession): Partial<SimilarError> {
  const { fix, hash, seenAt, cause, solution } = session;
  const solved = isSolved(session) && {
    cause: cause ?? '',
    solution: solution.slice(0, MAX_SOLUTION_LENGTH),
  };
  if (!fix) return { hash, timestamp: seenAt, ...(solved && { resolution: solved }) };
  const { author, timestamp, path, hunk } = fix;
  return { hash: fix.hash, author, timestamp, path, hunk, ...(solved && { resolution: solved }) };
}
