import type { ApiReply } from '#contract/api.ts';
import { useTranslation } from '../i18n.ts';
import { useSentence } from './sentence-text.tsx';

type AnsweredSession = Pick<ApiReply<'GET /debug/sessions/:id'>, 'answer' | 'project_name'>;

/** The verdict as text; answers that name no cause say so by their kind. */
export function useHeadline(): (session: AnsweredSession) => string {
  const { t } = useTranslation('debug');
  const sentence = useSentence();
  return ({ answer, project_name: project }) => {
    const { root_cause: cause, kind, other_project: other, guard, proven } = answer;
    const hash = proven?.commit.hash;
    // The sentence of the answer accuses another commit, or none.
    if (hash && answer.suspect_commits[0]?.hash !== hash) {
      return t('proofs:proven.text', { commit: `\`${hash.slice(0, 7)}\`` });
    }
    if (other) {
      const { name, matched_frames: matched, frames } = other;
      return t('verdict.other_project', { project, name, matched, count: frames });
    }
    if (cause) return sentence(cause);
    if (kind === 'guard' && guard) {
      return t('verdict.guard', { path: guard.path, line: guard.start_line });
    }
    if (kind === 'environment') return t('verdict.environment');
    return t('insufficient_evidence.title');
  };
}
