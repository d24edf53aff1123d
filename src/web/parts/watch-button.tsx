import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Eye } from 'lucide-react';
import type { ApiInput } from '#contract/api.ts';
import { type ApiError, api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';

type WatchBody = ApiInput<'POST /watches'>['body'];

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
  const list = apiQuery('GET /watches', { query: { project_id: subject.project_id } });
  const watches = useQuery(list);
  const watch = watches.data?.watches.find(
    ({ kind, value, path, match }) =>
      kind === subject.kind &&
      value === subject.value &&
      (path ?? '') === (subject.path ?? '') &&
      match === (subject.match ?? 'words'),
  );
  const toggle = useMutation<unknown, ApiError>({
    mutationFn: () =>
      watch
        ? api('DELETE /watches/:id', { params: { id: watch.id } })
        : api('POST /watches', { body: subject }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['GET /watches'] }),
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
