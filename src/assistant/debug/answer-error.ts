import type { DebugAnswer, Place, SimilarError, Suspect } from '#contract/debug.ts';
import { explainsHistory } from '#investigate/evidence.ts';
import { findSimilarIssues, type PastIssue, type SimilarIssue } from '#investigate/fixes/similar-issues.ts';
import { isSolved, type PastSession, selectShownSessions } from '#investigate/fixes/similar-sessions.ts';
import { type InvestigateDeps, type Investigation, investigate } from '#investigate/investigate.ts';
import type { ErrorReport } from '#investigate/locate/error-report.ts';
import type { RankedSuspect } from '#investigate/suspects/rank-suspects.ts';
import { errorTitle } from '#investigate/trace/error-title.ts';
import type { Language } from '#locales/languages.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { strikeUnresolvedCitations } from '../answer/citations.ts';
import { commitRef } from '../answer/commit-ref.ts';
import { listAdvice } from './advice.ts';
import { describeCause } from './describe-cause.ts';
import { deriveClaims } from './error-claims.ts';
import { suspectHunk } from './hunk-at-line.ts';
import { describeLaterChange } from './later-change.ts';
import { describePlaceContext } from './place-context.ts';
import { formatSolution } from './solution.ts';
import { buildTimeline } from './timeline.ts';

/** An answer before it is stored: without id, number and duration, with the fingerprint and title of the error. */
export type ErrorAnswer = Omit<DebugAnswer, 'id' | 'number' | 'took_ms'> & {
  fingerprint: string;
  title: string;
};

interface AnswerErrorDeps extends InvestigateDeps {
  issues?: readonly PastIssue[] | undefined;
  /** Index of the newest revision, where `index` is of a past one. */
  newest?: RepositoryIndex | null;
}

/** Answers an error from the repository's evidence, without a model. */
export async function answerError(
  request: ErrorReport,
  deps: AnswerErrorDeps,
  language: Language,
): Promise<ErrorAnswer> {
  const found = await investigate(request, deps);
  const { index } = deps;
  const now = Date.parse(deps.now) / 1000;
  const context = { investigation: found, index, language, now };
  const solution = await strikeUnresolvedCitations(formatSolution(context), deps);
  const claims = deriveClaims(found, index);
  const root_cause = describeCause(found, index);
  const later = deps.newest ? await describeLaterChange(context, { ...deps, newest: deps.newest }) : null;
  const round = (value: number) => Math.round(value * 1000) / 1000;
  const toSuspect = (suspect: RankedSuspect): Suspect => {
    const { commit, score, why, path } = suspect;
    return { ...commitRef(index, commit), score: round(score), why, path, hunk: suspectHunk(suspect) };
  };
  return {
    fingerprint: found.fingerprint,
    title: errorTitle(found.trace),
    // The later commit is in the newest index only, against which its citation resolves.
    solution: later ? `${solution}\n\n${later.section}` : solution,
    ...claims,
    abstained: claims.place_confidence === null && root_cause === null,
    changed_later: later?.change ?? null,
    ...(await describePlaceContext(found, deps)),
    calibration: deps.calibration?.sampleCount
      ? { log_odds_offset: deps.calibration.logOddsOffset, sample_count: deps.calibration.sampleCount }
      : null,
    context: {
      similar_errors: similarErrors(
        found,
        findSimilarIssues(request.error_message, deps.issues ?? [], index),
        index,
      ),
      code_suggestions: listAdvice(found, { index, language, now }),
    },
    root_cause,
    // With an embedding, places need no words in common with the error.
    places: (found.kindEvidence.isForeign && !deps.embedding ? [] : found.places).map(
      ({ path, start, end, symbol, score, why }): Place => ({
        path,
        start_line: start,
        end_line: end,
        symbol,
        score: round(score),
        why,
      }),
    ),
    suspect_commits: found.accused.map(toSuspect),
    related_commits: found.related.map(toSuspect),
    patch: found.patch?.text ?? null,
    evidence: found.evidence,
    timeline: buildTimeline(found, index, deps.now),
    indexed_commit: found.revision,
  };
}

/** Characters of a solved session's answer that are shown beside a new one. */
const MAX_SOLUTION_LENGTH = 3_000;

/** Earlier fixes, sessions and issues, solved sessions first, then the most similar. */
function similarErrors(
  { kind, precedents, sessions }: Investigation,
  issues: readonly SimilarIssue[],
  index: RepositoryIndex,
): SimilarError[] {
  const fixes = (explainsHistory(kind) ? precedents : []).map(
    ({ commit, similarity, outcome, path, hunk }): SimilarError => {
      const { message, hash, author, timestamp } = commitRef(index, commit);
      const still_in_place = outcome.state === 'in_place' || outcome.state === 'too_recent';
      return { content: message, similarity, hash, still_in_place, outcome, author, timestamp, path, hunk };
    },
  );
  const earlier = selectShownSessions(sessions).map(({ session, similarity }): SimilarError => {
    return { content: session.title, similarity, session_id: session.id, ...outcomeFields(session) };
  });
  const reported = issues.map(({ issue, similarity, commit }): SimilarError => {
    const { kind, number, state, title } = issue;
    const { message: _, ...fix } = commit === null ? { message: '' } : commitRef(index, commit);
    return { content: title, similarity, issue: { kind, number, state }, ...fix };
  });
  return [...fixes, ...earlier, ...reported]
    .map((one) => ({ ...one, similarity: Math.round(Math.min(1, one.similarity) * 1000) / 1000 }))
    .sort(
      (a, b) =>
        Number(Boolean(b.earlier_answer)) - Number(Boolean(a.earlier_answer)) || b.similarity - a.similarity,
    );
}

/** Outcome of a session: the commit that resolved it, else the suspected one. */
function outcomeFields(session: PastSession): Partial<SimilarError> {
  const { fix, hash, seenAt, cause, solution } = session;
  const solved = isSolved(session) && {
    cause: cause ?? '',
    solution: solution.slice(0, MAX_SOLUTION_LENGTH),
  };
  if (!fix) return { hash, timestamp: seenAt, ...(solved && { earlier_answer: solved }) };
  const { author, timestamp, path, hunk } = fix;
  return { hash: fix.hash, author, timestamp, path, hunk, ...(solved && { earlier_answer: solved }) };
}
