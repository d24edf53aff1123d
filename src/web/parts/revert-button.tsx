import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { useNavigate } from 'react-router';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { projectKeys } from '../query-keys.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { revertConflictsUrl } from './conflict-url.ts';

interface RevertButtonProps {
  projectId: string;
  /** Full hash. */
  commit: string;
  /** Branch that the revert is made on; the working branch when absent. */
  branch?: string;
  /** File that the editor opens afterwards. */
  path?: string | null;
  sessionId?: string;
}

/** Reverts a commit on a branch of the reader's, then links to it in the editor; conflicts open there at once. */
export function RevertButton({ projectId, commit, branch, path = null, sessionId }: RevertButtonProps) {
  const { t } = useTranslation('branches');
  const client = useQueryClient();
  const navigate = useNavigate();
  const revert = useMutation({
    mutationFn: () =>
      api('POST /projects/:id/commits/:sha/revert', {
        params: { id: projectId, sha: commit },
        body: { branch, session_id: sessionId },
      }),
    async onSuccess(made) {
      if (made.state === 'conflicts') {
        await navigate(revertConflictsUrl(projectId, { ...made, commit, sessionId: sessionId ?? null }));
      }
      for (const queryKey of [projectKeys.editorFiles, ...projectKeys.ownBranch]) {
        void client.invalidateQueries({ queryKey });
      }
    },
  });
  if (revert.data?.state === 'reverted') {
    const query = new URLSearchParams({ ...(branch && { branch }), ...(path !== null && { file: path }) });
    return (
      <span role="status" className="inline-flex items-center gap-2">
        <ButtonLink
          to={`/ide/${projectId}?${query}`}
          {...(sessionId && { state: { from: `/debug/${sessionId}` } })}
        >
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
