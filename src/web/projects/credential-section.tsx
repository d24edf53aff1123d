import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Credential } from '#contract/credentials.ts';
import type { Project } from '#contract/projects.ts';
import { type ApiError, api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { projectKeys } from '../query-keys.ts';
import { Button } from '../ui/button.tsx';
import { DescriptionList } from '../ui/description-list.tsx';
import { formatLongDate } from '../ui/format-time.ts';
import { Notice } from '../ui/notice.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { Section } from '../ui/section.tsx';
import { CredentialForm } from './credential-form.tsx';

/** Credential of a private repository; the secret is never displayed. */
export function CredentialSection({ project }: { project: Project }) {
  const { t } = useTranslation('projects');
  const params = { id: project.id };
  const query = useQuery({
    ...apiQuery('GET /projects/:id/credential', { params }),
    staleTime: 0,
  });
  const [editing, setEditing] = useState(false);
  return (
    <Section title={t('credential.title')} lead={t('credential.lead')}>
      <QueryState query={query} loading={['40%']}>
        {({ credential }) => (
          <>
            {credential && <CredentialDetails project={project} credential={credential} />}
            {!credential && !editing && <p className="text-muted">{t('credential.none')}</p>}
            {!editing && (
              <Button className="self-start" onClick={() => setEditing(true)}>
                {t(credential ? 'credential.replace' : 'credential.add')}
              </Button>
            )}
          </>
        )}
      </QueryState>
      {editing && <CredentialForm project={project} onDone={() => setEditing(false)} />}
    </Section>
  );
}

function CredentialDetails({ project, credential }: { project: Project; credential: Credential }) {
  const { t, i18n } = useTranslation('projects');
  const items = {
    [t('credential.kind')]: t(`credential.kinds.${credential.kind}`),
    [t('credential.host')]: <span className="font-mono text-sm">{credential.host}</span>,
    [t('credential.url')]: <span className="font-mono text-sm break-all">{credential.url}</span>,
    ...(credential.username && { [t('credential.username')]: credential.username }),
    ...(credential.public_key && {
      [t('credential.public_key')]: (
        <>
          <code className="font-mono text-sm break-all">{credential.public_key}</code>
          <div className="mt-1 -ml-2">
            <CopyButton text={credential.public_key} />
          </div>
        </>
      ),
    }),
    ...(credential.kind === 'ssh' && {
      [t('credential.host_keys')]: (
        <span className="font-mono text-sm break-all">
          {credential.host_keys.join('\n') || t('credential.no_host_key')}
        </span>
      ),
    }),
    [t('credential.since')]: formatLongDate(credential.created_at, i18n.language),
  };
  return (
    <>
      {credential.state !== 'usable' && (
        <Notice kind="error">{t(`credential_${credential.state}`, { ns: 'errors' })}</Notice>
      )}
      <DescriptionList borderless items={items} />
      {credential.public_key && <p className="text-sm text-muted">{t('credential.public_hint')}</p>}
      <CredentialActions project={project} />
    </>
  );
}

function CredentialActions({ project }: { project: Project }) {
  const { t } = useTranslation('projects');
  const client = useQueryClient();
  const params = { id: project.id };
  const invalidate = () => client.invalidateQueries({ queryKey: projectKeys.credential(project.id) });
  const test = useMutation<{ branch: string }, ApiError>({
    mutationFn: () => api('POST /projects/:id/credential/test', { params }),
    onSuccess: invalidate,
  });
  const remove = useMutation<unknown, ApiError>({
    mutationFn: () => api('DELETE /projects/:id/credential', { params }),
    onSuccess: invalidate,
  });
  const failure = test.error ?? remove.error;
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" loading={test.isPending} onClick={() => test.mutate()}>
          {t(test.isPending ? 'credential.testing' : 'credential.test')}
        </Button>
        <Button loading={remove.isPending} onClick={() => remove.mutate()}>
          {t('credential.remove')}
        </Button>
      </div>
      {failure && <Notice kind="error">{failure.message}</Notice>}
      {test.data && !test.isPending && !failure && (
        <Notice>{t('credential.test_succeeded', { branch: test.data.branch })}</Notice>
      )}
    </>
  );
}
