import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Push, PushPreview } from '#contract/branches.ts';
import { api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Checkbox, Field, Input } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import type { BranchDialogProps } from './branch-dialogs.tsx';
import { PushOutcome } from './push-result.tsx';
import { PushReview } from './push-review.tsx';
import { useBranchesChanged } from './use-branches.ts';

const POLL_INTERVAL_MS = 700;

/** Asks where to push, shows exactly what will be sent, sends it and shows the answer of the git server. */
export function PushDialog({
  project,
  branch,
  onClose,
  onPullRequest,
}: BranchDialogProps & { onPullRequest: () => void }) {
  const { t } = useTranslation('branches');
  const params = { id: project.id };
  const changed = useBranchesChanged();
  const [target, setTarget] = useState(branch.pushed?.target ?? branch.name);
  const [chosen, setChosen] = useState<string[] | null>(null);
  const preview = useMutation({
    mutationFn: (commits: string[] | null) =>
      api('POST /projects/:id/pushes/preview', {
        params,
        body: { branch: branch.name, target: target.trim(), commits },
      }),
  });
  const send = useMutation({
    mutationFn: ({ seen, replaces }: { seen: PushPreview; replaces: boolean }) =>
      api('POST /projects/:id/pushes', {
        params,
        body: {
          ...{ branch: branch.name, target: seen.target, commits: chosen, expected: seen.remote_head },
          ...(replaces && { replace: seen.remote_head }),
        },
      }),
  });
  const push = usePushState(project.id, send.data, changed);
  const review = (commits: string[] | null) => {
    setChosen(commits);
    preview.mutate(commits);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    review(null);
  };
  return (
    <Dialog open onClose={onClose} title={t('push_dialog.title', { name: branch.name })}>
      {push ? (
        <PushOutcome
          push={push}
          canOpenRequest={branch.pull_request?.state !== 'open'}
          onPullRequest={onPullRequest}
          onReview={() => {
            send.reset();
            review(chosen);
          }}
          onClose={onClose}
        />
      ) : (
        <>
          <form onSubmit={submit} className="flex items-end gap-2">
            <div className="min-w-0 flex-1">
              <Field label={t('push_dialog.target')} hint={t('push_dialog.target_hint')}>
                <Input
                  className="font-mono"
                  value={target}
                  maxLength={200}
                  autoComplete="off"
                  spellCheck={false}
                  onChange={(event) => {
                    setTarget(event.target.value);
                    preview.reset();
                  }}
                />
              </Field>
            </div>
          </form>
          {(preview.error ?? send.error) && (
            <Notice kind="error" className="mt-4" onRetry={() => review(chosen)}>
              {(preview.error ?? send.error)!.message}
            </Notice>
          )}
          {preview.data && !preview.isPending ? (
            <PushReviewForm
              projectId={project.id}
              branch={branch.name}
              preview={preview.data}
              chosen={chosen}
              sending={send.isPending}
              onChoose={review}
              onCancel={onClose}
              onSend={(replaces) => send.mutate({ seen: preview.data, replaces })}
            />
          ) : (
            <DialogActions>
              <Button onClick={onClose}>{t('cancel')}</Button>
              <Button
                kind="primary"
                disabled={target.trim() === ''}
                loading={preview.isPending}
                onClick={() => review(chosen)}
              >
                {t(preview.isPending ? 'push_dialog.asking' : 'push_dialog.review')}
              </Button>
            </DialogActions>
          )}
        </>
      )}
    </Dialog>
  );
}

interface PushReviewFormProps {
  projectId: string;
  branch: string;
  preview: PushPreview;
  chosen: string[] | null;
  sending: boolean;
  onChoose: (commits: string[] | null) => void;
  onCancel: () => void;
  onSend: (replaces: boolean) => void;
}

/** Preview of a push with its button; replacing commits needs a second confirmation. */
function PushReviewForm({
  projectId,
  branch,
  preview,
  chosen,
  sending,
  onChoose,
  onCancel,
  onSend,
}: PushReviewFormProps) {
  const { t } = useTranslation('branches');
  const [confirmed, setConfirmed] = useState(false);
  const { replaces, blocked, target } = preview;
  return (
    <>
      <PushReview
        projectId={projectId}
        branch={branch}
        preview={preview}
        chosen={chosen}
        onChoose={onChoose}
      />
      {replaces && !blocked && (
        <Notice kind="warning" className="mt-4">
          <Checkbox
            label={t('push_dialog.replace', { target })}
            checked={confirmed}
            onChange={(event) => setConfirmed(event.target.checked)}
          />
        </Notice>
      )}
      <DialogActions>
        <Button onClick={onCancel}>{t('cancel')}</Button>
        <Button
          kind={replaces ? 'danger' : 'primary'}
          loading={sending}
          disabled={blocked !== null || (replaces && !confirmed)}
          onClick={() => onSend(replaces)}
        >
          {t(replaces ? 'push_dialog.send_replacing' : 'push_dialog.send', { count: preview.commits.length })}
        </Button>
      </DialogActions>
    </>
  );
}

/** A push that was requested, read until it has ended. */
function usePushState(
  projectId: string,
  created: Push | undefined,
  onEnd: () => Promise<void>,
): Push | undefined {
  const isEnded = (push: Push) => push.state === 'done' || push.state === 'failed';
  const query = useQuery({
    ...apiQuery('GET /projects/:id/pushes/:push', { params: { id: projectId, push: created?.id ?? '' } }),
    queryFn: async () => {
      const push = await api('GET /projects/:id/pushes/:push', {
        params: { id: projectId, push: created!.id },
      });
      if (isEnded(push)) await onEnd();
      return push;
    },
    enabled: created !== undefined,
    refetchInterval: ({ state }) => (state.data && isEnded(state.data) ? false : POLL_INTERVAL_MS),
  });
  return created && (query.data ?? created);
}
