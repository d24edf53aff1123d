import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { Link } from 'react-router';
import type { Watch } from '#contract/watches.ts';
import { type ApiError, api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { fileUrl } from '../parts/citation.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { watchesQuery } from '../parts/watch-button.tsx';
import { IconButton } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { RowActions } from '../ui/row-actions.tsx';
import { Section } from '../ui/section.tsx';
import { useToast } from '../ui/toast.tsx';

/** The reader's watches, each with its subject and a way to end it. */
export function WatchesSection() {
  const { t } = useTranslation('watches');
  const query = useQuery({ ...watchesQuery, staleTime: 0 });
  return (
    <Section anchor="watches" title={t('title')} lead={t('lead')}>
      <QueryState
        query={query}
        loading={['56%', '42%']}
        empty={<p className="text-muted">{t('none')}</p>}
        isEmpty={({ watches }) => watches.length === 0}
      >
        {({ watches }) => (
          <ul className="-mt-1.5 border-b border-border">
            {watches.map((watch) => (
              <WatchRow key={watch.id} watch={watch} />
            ))}
          </ul>
        )}
      </QueryState>
    </Section>
  );
}

function WatchRow({ watch }: { watch: Watch }) {
  const { t } = useTranslation('watches');
  const client = useQueryClient();
  const toast = useToast();
  const { id, project_id, project_name, kind, value, path, label, match, last_match_at: last } = watch;
  const refresh = () => client.invalidateQueries({ queryKey: watchesQuery.queryKey });
  const remove = useMutation<unknown, ApiError>({
    mutationFn: () => api('DELETE /watches/:id', { params: { id } }),
    onSuccess: async () => {
      await refresh();
      toast(t('deleted'), {
        onUndo: async () => {
          await api('POST /watches', { body: { project_id, kind, value, path, match } });
          await refresh();
        },
      });
    },
  });
  return (
    <li className="row flex items-start gap-3 border-t border-border py-2">
      <div className="min-w-0 flex-1">
        <Link to={subjectUrl(watch)} className="link font-mono text-sm wrap-anywhere">
          <Verbatim text={label} />
        </Link>
        <p className="text-sm text-muted">
          {t(`kinds.${kind}`)} · <Verbatim text={project_name} />
          {path !== null && (
            <>
              {' · '}
              <Verbatim text={path} />
            </>
          )}{' '}
          · {last ? t('last', { at: last }) : t('never')}
        </p>
        {remove.error && <Notice kind="error">{remove.error.message}</Notice>}
      </div>
      <RowActions>
        <IconButton
          label={t('delete', { name: label })}
          icon={<Trash2 aria-hidden className="size-4" />}
          onClick={() => remove.mutate()}
        />
      </RowActions>
    </li>
  );
}

/** Page of the subject. */
function subjectUrl({ project_id, kind, value, path, match }: Watch): string {
  const project = `/projects/${project_id}`;
  if (kind === 'error') return `${project}/errors/${encodeURIComponent(value)}`;
  if (kind === 'author') return `${project}/commits?${new URLSearchParams({ author: value })}`;
  if (kind === 'function') {
    const file = (path ?? '').split('/').map(encodeURIComponent).join('/');
    return `${project}/functions/${file}?${new URLSearchParams({ name: value })}`;
  }
  if (kind === 'path') {
    return /[*?]/.test(value)
      ? `${project}/commits?${new URLSearchParams({ path: value })}`
      : fileUrl(project_id, value);
  }
  const params = new URLSearchParams({ q: value, project_id });
  if (match !== 'words') params.set('match', match);
  return `/search?${params}`;
}
