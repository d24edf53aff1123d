import { useQuery } from '@tanstack/react-query';
import type { DebugAnswer } from '#contract/debug.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { ButtonLink } from '../ui/button.tsx';
import { formatAgentPrompt } from './agent-prompt.ts';
import { CopyButton } from './copy-button.tsx';

interface FixedSession {
  id: string;
  project_id: string;
  request: { error_message: string };
  answer: DebugAnswer;
}

/** Ways out for a fix: push or pull request of its branch, and a prompt for an agent. */
export function FixActions({ session }: { session: FixedSession }) {
  const { t } = useTranslation('branches');
  const { data } = useQuery(
    apiQuery('GET /projects/:id/branches', {
      params: { id: session.project_id },
      query: { session_id: session.id },
    }),
  );
  const branch = data?.branches[0];
  const request = branch?.pull_request;
  const kind = branch && branch.unpushed === 0 ? 'pull' : 'push';
  return (
    <>
      {request ? (
        <a href={request.url} className="link" target="_blank" rel="noreferrer">
          {t(`request.${request.state}`, { number: request.number })}
        </a>
      ) : (
        branch && (
          <ButtonLink
            to={`/projects/${session.project_id}/branches?${kind}=${encodeURIComponent(branch.name)}`}
            title={t('fix.branch', { name: branch.name })}
          >
            {t(kind === 'pull' ? 'pull_request' : 'fix.push')}
          </ButtonLink>
        )
      )}
      <CopyButton kind="plain" text={formatAgentPrompt(session)} label={t('fix.agent')} />
    </>
  );
}
