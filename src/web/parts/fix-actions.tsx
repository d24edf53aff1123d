import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { ButtonLink } from '../ui/button.tsx';

/** Way out for a fix: push or pull request of its branch. */
export function FixActions({ session }: { session: { id: string; project_id: string } }) {
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
  if (request) {
    return (
      <a href={request.url} className="link" target="_blank" rel="noreferrer">
        {t(`request.${request.state}`, { number: request.number })}
      </a>
    );
  }
  return (
    branch && (
      <ButtonLink
        to={`/projects/${session.project_id}/branches?${kind}=${encodeURIComponent(branch.name)}`}
        title={t('fix.branch', { name: branch.name })}
      >
        {t(kind === 'pull' ? 'pull_request' : 'fix.push')}
      </ButtonLink>
    )
  );
}
