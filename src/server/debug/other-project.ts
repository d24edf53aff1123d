import { answerText } from '#assistant/answer/answer-text.ts';
import { escapeMarkdown } from '#assistant/answer/markdown.ts';
import type { ErrorAnswer } from '#assistant/debug/answer-error.ts';
import type { ErrorReport } from '#investigate/locate/error-report.ts';
import type { Deps } from '../deps.ts';
import { loadUserLanguage } from '../identity/user-store.ts';
import { rankProjectsForError } from './match-projects.ts';

interface AskedProject {
  project: { id: string };
  userId: string;
  request: ErrorReport;
  signal: AbortSignal;
}

/** Causes of answers in which nothing names the project that was asked. */
const UNCLEAR_CAUSES: readonly string[] = ['debug.cause.caller_unclear', 'debug.cause.check_unclear'];

/**
 * Names the project of the caller's that an error matches, when nothing of it is in the project that was asked. An unclear answer
 * gives way to it.
 */
export async function withOtherProject(
  deps: Deps,
  answer: ErrorAnswer,
  { project, userId, request, signal }: AskedProject,
): Promise<ErrorAnswer> {
  const isDeclined = answer.kind === 'vague' || answer.kind === 'foreign';
  const isUnclear = UNCLEAR_CAUSES.includes(answer.root_cause?.code ?? '');
  if (!isUnclear && (!isDeclined || answer.places.length > 0)) return answer;
  const asked = { userId, exceptProjectId: project.id, request, signal };
  const [best] = await rankProjectsForError(deps, asked);
  if (!best?.is_match) return answer;
  const { id, name, matched_frames, frames } = best;
  const locale = { language: await loadUserLanguage(deps.db, userId), now: deps.now().getTime() / 1000 };
  const sentence =
    matched_frames > 0
      ? answerText(locale, 'debug.other_project', {
          ...{ matched: matched_frames, count: frames, name: escapeMarkdown(name) },
        })
      : answerText(locale, 'debug.other_project_names', { name: escapeMarkdown(name) });
  const declined: ErrorAnswer = isUnclear
    ? {
        ...{ ...answer, abstained: true, confidence: 0, root_cause: null, places: [], related_commits: [] },
        solution: `### ${answerText(locale, 'debug.root_cause')}\n\n${answerText(locale, 'debug.not_here')}`,
      }
    : answer;
  return {
    ...declined,
    kind: 'foreign',
    other_project: { id, name, matched_frames, frames },
    solution: `${declined.solution}\n\n${sentence}`,
  };
}
