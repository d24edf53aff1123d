import { useMutation } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { ApiReply } from '#contract/api.ts';
import type { Project } from '#contract/projects.ts';
import { type ApiError, api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

const ReplayDialog = lazyComponent(() => import('./replay-dialog.tsx').then((module) => module.ReplayDialog));

/** Replays past fixes of a project, one after the other, in a dialog. */
export function ReplayButton({ project, isPossible }: { project: Project; isPossible: boolean }) {
  const { t } = useTranslation('first-run');
  const [number, setNumber] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const replay = useMutation<ApiReply<'POST /projects/:id/replay'>, ApiError, number>({
    mutationFn: (at) =>
      api('POST /projects/:id/replay', { params: { id: project.id }, body: { number: at } }),
    onSuccess: () => setOpen(true),
  });
  const start = (at: number) => {
    setNumber(at);
    replay.mutate(at);
  };
  if (!isPossible) return <p className="text-sm text-muted">{t('errors:no_fix_to_replay')}</p>;
  const next = replay.data ? (number + 1) % replay.data.replayable : 0;
  return (
    <>
      <Button loading={replay.isPending} onClick={() => start(number)}>
        {!replay.isPending && <History aria-hidden className="size-4" />}
        {t(replay.isPending ? 'replay.running' : 'replay.start')}
      </Button>
      {replay.error && (
        <Notice kind="error" className="mt-3" onRetry={() => start(number)}>
          {replay.error.message}
        </Notice>
      )}
      {isOpen && replay.data && (
        <Suspense>
          <ReplayDialog
            key={replay.data.fix.hash}
            project={project}
            replay={replay.data}
            isLoading={replay.isPending}
            onNext={next === number ? undefined : () => start(next)}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}
