import { useMutation } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { ApiError, api } from '../../api.ts';
import { useTranslation } from '../../i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { Operation } from './use-conflicts.ts';

/** A failure; where the branch has moved meanwhile, the way to go on with what is resolved already. */
export function MovedNotice({ error, operation }: { error: Error; operation: Operation }) {
  const { t } = useTranslation('conflicts');
  const [query, setQuery] = useSearchParams();
  const { projectId, branch } = operation;
  const restart = useMutation({
    mutationFn: async () => {
      const params = { id: projectId };
      const { branches } = await api('GET /projects/:id/branches', { params, query: {} });
      const head = branches.find(({ name }) => name === branch)?.head;
      if (head === undefined) throw new Error(t('gone', { branch }));
      return head;
    },
    onSuccess(head) {
      const next = new URLSearchParams(query);
      next.set('head', head);
      setQuery(next, { replace: true });
    },
  });
  const hasMoved = error instanceof ApiError && error.reason === 'branch_changed';
  return (
    <Notice
      kind="error"
      className="m-2"
      action={
        hasMoved && (
          <Button size="small" loading={restart.isPending} onClick={() => restart.mutate()}>
            {t('restart')}
          </Button>
        )
      }
    >
      {restart.error?.message ?? (hasMoved ? t('moved', { branch }) : error.message)}
    </Notice>
  );
}
