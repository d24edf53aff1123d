import { type DebugAnswer, MAX_ANSWER_ITEMS, type Suspect } from '#contract/debug.ts';
import type { ChangedSince, Guard } from '#contract/error-findings.ts';
import type { Hunk } from '#contract/projects.ts';
import { limitHunk } from '#git/diff-limits.ts';
import { truncateToJsonBytes } from '../project-data/json-size.ts';

/** JSON size limits of a hunk, a text and a solution, and the length limit of a patch. */
const MAX_HUNK_BYTES = 16 * 1024;
const MAX_TEXT_BYTES = 16 * 1024;
const MAX_SOLUTION_BYTES = 256 * 1024;
const MAX_PATCH_CHARS = 128 * 1024;

type Content = Omit<DebugAnswer, 'id' | 'number'>;

/** Limits the lists and texts of an answer, regardless of the quoted repository content, and groups its probabilities. */
export function truncateAnswer<A extends Content>(answer: A): A {
  const { context, patch } = answer;
  return {
    ...answer,
    probabilities: probabilitiesOf(answer),
    solution: truncateToJsonBytes(answer.solution, MAX_SOLUTION_BYTES),
    context: {
      similar_errors: takeFirst(context.similar_errors).map((similar) =>
        withHunk({ ...similar, content: truncateText(similar.content) }),
      ),
      code_suggestions: takeFirst(context.code_suggestions).map(truncateText),
    },
    places: takeFirst(answer.places),
    suspect_commits: takeFirst(answer.suspect_commits).map(truncateSuspect),
    related_commits: takeFirst(answer.related_commits ?? []).map(truncateSuspect),
    ...(answer.guard && { guard: truncateGuard(answer.guard) }),
    ...(answer.changed_since && { changed_since: truncateChange(answer.changed_since) }),
    ...(answer.changed_later && { changed_later: truncateChange(answer.changed_later) }),
    // A truncated patch would not apply.
    patch: patch !== null && patch.length > MAX_PATCH_CHARS ? null : patch,
    evidence: takeFirst(answer.evidence).map((piece) => ({ ...piece, quote: truncateText(piece.quote) })),
    timeline: takeFirst(answer.timeline).map((step) =>
      withHunk({ ...step, evidence: takeFirst(step.evidence) }),
    ),
  };
}

/** The place's and the cause's; no probability of a patch is measured. */
export function probabilitiesOf({
  place_confidence: place,
  cause_confidence: cause,
}: Pick<Content, 'place_confidence' | 'cause_confidence'>): NonNullable<Content['probabilities']> {
  return { place: place ?? null, cause: cause ?? null, patch: null };
}

const takeFirst = <T>(items: readonly T[]): T[] => items.slice(0, MAX_ANSWER_ITEMS);
const truncateText = (value: string) => truncateToJsonBytes(value, MAX_TEXT_BYTES);

function truncateSuspect(suspect: Suspect): Suspect {
  return withHunk({ ...suspect, message: truncateText(suspect.message) });
}

function truncateChange(change: ChangedSince): ChangedSince {
  const { text, commit, hunk } = change;
  return {
    ...change,
    text: truncateText(text),
    commit: { ...commit, message: truncateText(commit.message) },
    hunk: limitHunk(hunk, MAX_HUNK_BYTES)?.hunk ?? { ...hunk, header: '', lines: [] },
  };
}

function truncateGuard(guard: Guard): Guard {
  const { condition, message, commit, caller } = guard;
  return {
    ...guard,
    condition: truncateText(condition),
    message: truncateText(message),
    commit: commit && { ...commit, message: truncateText(commit.message) },
    caller: caller && { ...caller, text: truncateText(caller.text) },
  };
}

function withHunk<T extends { hunk?: Hunk | null | undefined }>(item: T): T {
  return item.hunk ? { ...item, hunk: limitHunk(item.hunk, MAX_HUNK_BYTES)?.hunk ?? null } : item;
}
