import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { BranchConflict, BranchUpdate } from '#contract/branches.ts';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import type { BranchDialogProps } from './branch-dialogs.tsx';
import { ConflictEditor } from './conflict-editor.tsx';
import { useBranchesChanged } from './use-branches.ts';

type Method = 'merge' | 'rebase';
type Resolutions = Record<string, string | null>;

/** Merges the default branch or rebases on it; conflicts are resolved file by file in their three versions. */
export function UpdateDialog({ project, branch, onClose }: BranchDialogProps) {
  const { t } = useTranslation('branches');
  const changed = useBranchesChanged();
  const [method, setMethod] = useState<Method>('merge');
  const [resolutions, setResolutions] = useState<Resolutions>({});
  const update = useMutation({
    mutationFn: ({ by, seen }: { by: Method; seen?: BranchUpdate }) =>
      api('POST /projects/:id/branches/:branch/update', {
        params: { id: project.id, branch: branch.name },
        body: {
          method: by,
          head: seen?.head ?? branch.head,
          ...(seen && {
            upstream: seen.upstream,
            resolutions: Object.entries(resolutions).map(([path, content]) => ({ path, content })),
          }),
        },
      }),
    onSuccess: async ({ state }) => {
      if (state !== 'conflicts') await changed();
    },
  });
  const result = update.data;
  const conflicted = result?.state === 'conflicts' ? result : null;
  const methods = { merge: t('update.merge'), rebase: t('update.rebase') };
  return (
    <Dialog open onClose={onClose} title={t('update.title', { upstream: branch.upstream })}>
      {!result && (
        <SegmentedControl legend={t('update.method')} options={methods} value={method} onChange={setMethod} />
      )}
      {!result && (
        <p className="mt-2 text-sm text-muted">{t(`update.${method}_text`, { upstream: branch.upstream })}</p>
      )}
      {update.error && (
        <Notice kind="error" className="mt-4" onRetry={() => update.reset()}>
          {update.error.message}
        </Notice>
      )}
      {result && !conflicted && (
        <Notice kind="success">
          {t(`update.${result.state}`, { name: branch.name, upstream: branch.upstream })}
        </Notice>
      )}
      {conflicted && (
        <Conflicts
          update={conflicted}
          method={method}
          resolutions={resolutions}
          onResolve={(path, content) => setResolutions((now) => ({ ...now, [path]: content }))}
        />
      )}
      <DialogActions>
        <Button onClick={onClose}>{t(result && !conflicted ? 'close' : 'cancel')}</Button>
        {!result && (
          <Button kind="primary" loading={update.isPending} onClick={() => update.mutate({ by: method })}>
            {t(`update.${method}`)}
          </Button>
        )}
        {conflicted && method === 'rebase' && (
          <Button
            kind="primary"
            loading={update.isPending}
            onClick={() => {
              setMethod('merge');
              update.mutate({ by: 'merge' });
            }}
          >
            {t('update.merge_instead')}
          </Button>
        )}
        {conflicted && method === 'merge' && conflicted.conflicts_omitted === 0 && (
          <Button
            kind="primary"
            loading={update.isPending}
            disabled={!conflicted.conflicts.every(({ path }) => path in resolutions)}
            onClick={() => update.mutate({ by: 'merge', seen: conflicted })}
          >
            {t('update.save')}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

interface ConflictsProps {
  update: BranchUpdate;
  method: Method;
  resolutions: Resolutions;
  onResolve: (path: string, content: string | null) => void;
}

function Conflicts({ update, method, resolutions, onResolve }: ConflictsProps) {
  const { t } = useTranslation('branches');
  const { conflicts, conflicts_omitted: omitted, stopped_at: stopped } = update;
  return (
    <div className="flex flex-col gap-4">
      <Notice kind="warning">
        {stopped
          ? t('update.stopped', { commit: stopped.hash.slice(0, 7), message: stopped.message })
          : t('update.conflicts', { count: conflicts.length + omitted })}
      </Notice>
      {omitted > 0 && <Notice>{t('update.too_many', { count: omitted })}</Notice>}
      {conflicts.map((conflict) =>
        method === 'merge' ? (
          <ConflictFile
            key={conflict.path}
            conflict={conflict}
            isResolved={conflict.path in resolutions}
            onResolve={(content) => onResolve(conflict.path, content)}
          />
        ) : (
          <p key={conflict.path} className="truncate font-mono text-sm">
            <Verbatim text={conflict.path} />
          </p>
        ),
      )}
    </div>
  );
}

interface ConflictFileProps {
  conflict: BranchConflict;
  isResolved: boolean;
  onResolve: (content: string | null) => void;
}

function ConflictFile({ conflict, isResolved, onResolve }: ConflictFileProps) {
  const { t } = useTranslation('branches');
  if (!conflict.resolvable) {
    return (
      <Notice>
        <span className="font-mono text-sm">{conflict.path}</span> {t('update.not_text')}
      </Notice>
    );
  }
  return <ConflictEditor conflict={conflict} isResolved={isResolved} onResolve={onResolve} />;
}
