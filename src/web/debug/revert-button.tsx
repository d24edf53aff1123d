import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { projectKeys } from '../query-keys.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import type { Session } from './answer.tsx';

interface RevertButtonProps {
  session: Session;
  suspect: { hash: string; path: string | null };
}

/** Reverts the suspect as a commit on the reader's working branch, then links to it in the editor. */
export function RevertButton({ session, suspect }: RevertButtonProps) {
  const { t } = useTranslation('debug');
  const client = useQueryClient();
  const projectId = session.project_id;
  const revert = useMutation({
    mutationFn: () =>
      api('POST /debug/sessions/:id/revert', { params: { id: session.id }, body: { commit: suspect.hash } }),
    onSuccess: () => client.invalidateQueries({ queryKey: projectKeys.editorFiles }),
  });
  if (revert.data) {
    const file = suspect.path === null ? '' : `?file=${encodeURIComponent(suspect.path)}`;
    return (
      <span role="status" className="inline-flex items-center gap-2">
        <ButtonLink to={`/ide/${projectId}${file}`} state={{ from: `/debug/${session.id}` }}>
          <Undo2 aria-hidden className="size-4" />
          {t('revert.open', { branch: revert.data.branch })}
        </ButtonLink>
      </span>
    );
  }
  return (
    <>
      <Button loading={revert.isPending} title={t('revert.hint')} onClick={() => revert.mutate()}>
        <Undo2 aria-hidden className="size-4" />
        {t('revert.button')}
      </Button>
      {revert.error && (
        <Notice kind="error" className="order-last w-full" onRetry={() => revert.mutate()}>
          {revert.error.message}
        </Notice>
      )}
    </>
  );
}
