import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ChangeEvent, useRef, useState } from 'react';
import type { IssueImport } from '#contract/issues.ts';
import type { Project } from '#contract/projects.ts';
import { api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { SentenceText } from '../parts/sentence-text.tsx';
import { Button } from '../ui/button.tsx';
import { formatShortDateTime } from '../ui/format-time.ts';
import { Notice } from '../ui/notice.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { Section } from '../ui/section.tsx';
import { StateMark } from '../ui/state-mark.tsx';
import { Switch } from '../ui/switch.tsx';

/** Interval of looks at a running import. */
const POLL_MS = 2_000;

/** Import of issues and pull requests: switch, state, counts, an upload, and deletion. Members read it. */
export function IssuesSection({ project }: { project: Project }) {
  const { t } = useTranslation('issues');
  const query = useQuery({
    ...importQuery(project.id),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data && (data.state === 'queued' || data.state === 'running') ? POLL_MS : false,
  });
  return (
    <Section title={t('title')} anchor="issues" lead={t('lead')}>
      <QueryState query={query} showStaleError loading={['64%', '40%']}>
        {(found) => <ImportSettings project={project} found={found} />}
      </QueryState>
    </Section>
  );
}

const importQuery = (id: string) => apiQuery('GET /projects/:id/issues/import', { params: { id } });

function ImportSettings({ project, found }: { project: Project; found: IssueImport }) {
  const { t } = useTranslation('issues');
  const { configure, start, remove } = useImportChanges(project.id);
  const isOwner = project.role === 'owner';
  const failure = configure.error ?? start.error ?? remove.error;
  const isEmpty = found.issues + found.pull_requests === 0;
  const enabled = configure.isPending ? configure.variables : found.enabled;
  const isBusy = found.state === 'queued' || found.state === 'running';
  return (
    <>
      {isOwner && (
        <Switch
          label={found.host ? t('enable', { host: found.host.host }) : t('enable_unknown')}
          checked={enabled}
          disabled={!found.host && !found.enabled}
          onChange={(event) => configure.mutate(event.target.checked)}
        />
      )}
      {isOwner && found.host && !found.host.has_token && <p className="text-muted">{t('without_token')}</p>}
      <ImportState found={found} />
      {failure && <Notice kind="error">{failure.message}</Notice>}
      {isOwner && (
        <div className="flex flex-wrap gap-2">
          {found.enabled && (
            <Button loading={start.isPending || isBusy} onClick={() => start.mutate(undefined)}>
              {t(isBusy ? 'importing' : 'import_now')}
            </Button>
          )}
          <UploadButton isPending={start.isPending} onFile={(file) => start.mutate(file)} />
          {!isEmpty && <DeleteButton isPending={remove.isPending} onConfirm={() => remove.mutate()} />}
        </div>
      )}
    </>
  );
}

function useImportChanges(id: string) {
  const client = useQueryClient();
  const params = { id };
  const { queryKey } = importQuery(id);
  const onSuccess = (found: IssueImport) => client.setQueryData(queryKey, found);
  const configure = useMutation({
    mutationFn: (enabled: boolean) => api('PATCH /projects/:id/issues/import', { params, body: { enabled } }),
    onSuccess,
  });
  const start = useMutation({
    mutationFn: (file: File | undefined) =>
      api('POST /projects/:id/issues/import', { params, ...(file && { body: file }) } as never),
    onSuccess,
  });
  const remove = useMutation({
    mutationFn: () => api('DELETE /projects/:id/issues', { params }),
    onSuccess: () => client.invalidateQueries({ queryKey }),
  });
  return { configure, start, remove };
}

/** State, counts, the last import, and why it failed or waits. */
function ImportState({ found }: { found: IssueImport }) {
  const { t, i18n } = useTranslation('issues');
  const { state, enabled, failure, retry_at, imported_at } = found;
  if (!enabled && imported_at === null) return null;
  const mark =
    state === 'failed' ? 'failed' : state === 'idle' ? 'ready' : state === 'running' ? 'running' : 'queued';
  return (
    <div role="status" className="flex flex-col gap-1">
      <p className="flex flex-wrap items-center gap-x-3">
        {(enabled || state !== 'idle') && <StateMark state={mark} />}
        <span>
          {t('issues', { count: found.issues })}, {t('pull_requests', { count: found.pull_requests })},{' '}
          {found.comments > 0 && <>{t('comments', { count: found.comments })}, </>}
          {t('commits', { count: found.linked_commits })}
        </span>
        {state === 'running' && (
          <span className="text-muted">{t('received', { count: found.received })}</span>
        )}
        {imported_at && (
          <span className="text-muted">
            {t('last')} <RelativeTime at={imported_at} />
          </span>
        )}
      </p>
      {state === 'waiting' && retry_at && (
        <p className="text-muted">{t('waiting', { time: formatShortDateTime(retry_at, i18n.language) })}</p>
      )}
      {failure && (
        <p>
          <SentenceText sentence={failure} />
        </p>
      )}
    </div>
  );
}

function UploadButton({ isPending, onFile }: { isPending: boolean; onFile: (file: File) => void }) {
  const { t } = useTranslation('issues');
  const input = useRef<HTMLInputElement>(null);
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    if (file) onFile(file);
    target.value = '';
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".json,.ndjson,.jsonl,application/json"
        aria-label={t('file')}
        onChange={onChange}
        className="hidden"
      />
      <Button loading={isPending} onClick={() => input.current?.click()}>
        {t('upload')}
      </Button>
    </>
  );
}

function DeleteButton({ isPending, onConfirm }: { isPending: boolean; onConfirm: () => void }) {
  const { t } = useTranslation('issues');
  const [isAsked, setAsked] = useState(false);
  if (!isAsked) return <Button onClick={() => setAsked(true)}>{t('delete')}</Button>;
  return (
    <>
      <Button kind="danger" loading={isPending} onClick={onConfirm}>
        {t('delete_confirm')}
      </Button>
      <Button onClick={() => setAsked(false)}>{t('cancel')}</Button>
    </>
  );
}
