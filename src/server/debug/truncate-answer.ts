import { type DebugAnswer, MAX_ANSWER_ITEMS } from '#contract/debug.ts';
import type { Hunk } from '#contract/projects.ts';
import { limitHunk } from '#git/diff-limits.ts';
import { truncateToJsonBytes } from '../project-data/json-size.ts';

/** Bytes of JSON of a hunk, of a text, and of a patch that one answer shows. */
const MAX_HUNK_BYTES = 16 * 1024;
const MAX_TEXT_BYTES = 16 * 1024;
const MAX_SOLUTION_BYTES = 256 * 1024;
const MAX_PATCH_CHARS = 128 * 1024;

type Content = Omit<DebugAnswer, 'id' | 'number'>;

/** An answer whose lists and texts are within limits, whatever the repository holds that it quotes. */
export function truncateAnswer<A extends Content>(answer: A): A {
  const { context, patch } = answer;
  return {
    ...answer,
    solution: truncateToJsonBytes(answer.solution, MAX_SOLUTION_BYTES),
    context: {
      similar_errors: first(context.similar_errors).map((similar) =>
        withHunk({ ...similar, content: text(similar.content) }),
      ),
      code_suggestions: first(context.code_suggestions).map(text),
    },
    places: first(answer.places),
    suspect_commits: first(answer.suspect_commits).map((suspect) =>
      withHunk({ ...suspect, message: text(suspect.message) }),
    ),
    // A part of a patch would not apply.
    patch: patch !== null && patch.length > MAX_PATCH_CHARS ? null : patch,
    evidence: first(answer.evidence).map((piece) => ({ ...piece, quote: text(piece.quote) })),
    timeline: first(answer.timeline).map((step) => withHunk({ ...step, evidence: first(step.evidence) })),
  };
}

const first = <T>(items: readonly T[]): T[] => items.slice(0, MAX_ANSWER_ITEMS);
const text = (words: string) => truncateToJsonBytes(words, MAX_TEXT_BYTES);

function withHunk<T extends { hunk?: Hunk | null | undefined }>(item: T): T {
  return item.hunk ? { ...item, hunk: limitHunk(item.hunk, MAX_HUNK_BYTES)?.hunk ?? null } : item;
}
