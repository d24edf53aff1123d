import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Eye } from 'lucide-react';
import type { ApiInput } from '#contract/api.ts';
import { type ApiError, api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { storedWatchValue } from './stored-watch-value.ts';

type WatchBody = ApiInput<'POST /watches'>['body'];

/** Query of all watches of the reader, of which there are few: every button and the settings share it. */
export const watchesQuery = apiQuery('GET /watches', { query: {} });

interface WatchButtonProps {
  subject: WatchBody;
  /** Name for readers of the screen, where several stand in a list. */
  name?: string;
  size?: 'normal' | 'small';
}

/** Starts and ends a watch of the reader. */
export function WatchButton({ subject, name, size = 'normal' }: WatchButtonProps) {
  const { t } = useTranslation('watches');
  const client = useQueryClient();
  const watches = useQuery(watchesQuery);
  const stored = storedWatchValue(subject);
  const watch = watches.data?.watches.find(
    ({ project_id, kind, value, path, match }) =>
      project_id === subject.project_id &&
      kind === subject.kind &&
      value === stored &&
      (path ?? '') === (subject.path ?? '') &&
      match === (subject.match ?? 'words'),
  );
  const toggle = useMutation<unknown, ApiError>({
    mutationFn: () =>
      watch
        ? api('DELETE /watches/:id', { params: { id: watch.id } })
        : api('POST /watches', { body: subject }),
    onSuccess: () => client.invalidateQueries({ queryKey: watchesQuery.queryKey }),
  });
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <Button
        size={size}
        aria-pressed={watch !== undefined}
        loading={toggle.isPending}
        disabled={watches.data === undefined}
        onClick={() => toggle.mutate()}
      >
        <Eye aria-hidden className="size-4" />
        {t(watch ? 'watching' : 'watch')}
        {name && <span className="sr-only">{name}</span>}
      </Button>
      {(toggle.error ?? watches.error) && (
        <span role="alert" className="text-sm font-medium">
          {(toggle.error ?? watches.error)?.message}
        </span>
      )}
    </span>
  );
}
