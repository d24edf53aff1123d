import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { Link } from 'react-router';
import { type ApiError, api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { useSentence } from '../parts/sentence-text.tsx';
import { projectKeys } from '../query-keys.ts';
import { Button } from '../ui/button.tsx';
import { Field, Input } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { StateMark } from '../ui/state-mark.tsx';

const POLL_MS = 700;

/** Asks for the repository of an error, connects it and reports its project once errors can be asked there. */
export function AddRepository({ onReady }: { onReady: (projectId: string) => void }) {
  const { t } = useTranslation('home');
  const client = useQueryClient();
  const [url, setUrl] = useState('');
  const add = useMutation<{ id: string }, ApiError, string>({
    mutationFn: (git_url) => api('POST /projects', { body: { git_url, name: repositoryName(git_url) } }),
    // The list stays as it is until the answer: with a project in it, the page would replace this form.
    onError: () => client.invalidateQueries({ queryKey: projectKeys.list }),
  });
  const submit = () => {
    if (!add.isPending && url.trim() !== '') add.mutate(url.trim());
  };
  if (add.data) return <IndexProgress projectId={add.data.id} onReady={onReady} />;
  return (
    <div className="flex w-full flex-col items-start gap-3">
      <div className="w-full">
        <Field
          label={t('repository.label')}
          hint={t('repository.hint')}
          error={add.error ? (add.error.fields.git_url ?? add.error.message) : undefined}
        >
          <Input
            autoFocus
            required
            autoCapitalize="off"
            spellCheck={false}
            inputMode="url"
            placeholder="https://github.com/owner/repository.git"
            className="font-mono text-code"
            value={url}
            onChange={(event) => setUrl(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              submit();
            }}
          />
        </Field>
      </div>
      <Button loading={add.isPending} onClick={submit}>
        {t('repository.go')}
      </Button>
    </div>
  );
}

interface IndexProgressProps {
  projectId: string;
  onReady: (projectId: string) => void;
}

function IndexProgress({ projectId, onReady }: IndexProgressProps) {
  const { t } = useTranslation(['home', 'projects']);
  const sentence = useSentence();
  const { data, error, refetch } = useQuery({
    ...apiQuery('GET /projects/:id', { params: { id: projectId } }),
    refetchInterval: ({ state }) => (state.data?.failure ? false : POLL_MS),
  });
  const isReady = data?.status === 'ready';
  const ready = useEffectEvent(() => onReady(projectId));
  useEffect(() => {
    if (isReady) ready();
  }, [isReady]);
  if (error)
    return (
      <Notice kind="error" onRetry={refetch}>
        {error.message}
      </Notice>
    );
  if (data?.failure) {
    return (
      <Notice kind="error">
        {sentence(data.failure)}{' '}
        <Link to={`/projects/${projectId}`} className="link">
          {t('repository.open')}
        </Link>
      </Notice>
    );
  }
  return (
    <p role="status">
      <StateMark state="running">{t(`projects:status.${data?.status ?? 'queued'}`)}</StateMark>
    </p>
  );
}

/** `repository` of `https://host/owner/repository.git` and `git@host:owner/repository.git`. */
function repositoryName(url: string): string {
  const last = url.replace(/\/+$/, '').split(/[/:]/).at(-1) ?? '';
  return (last.replace(/\.git$/, '') || url).slice(0, 100);
}
