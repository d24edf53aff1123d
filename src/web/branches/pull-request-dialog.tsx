import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { ApiReply } from '#contract/api.ts';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Checkbox, Field, Input, Textarea } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { QueryState } from '../ui/query-state.tsx';
import type { BranchDialogProps } from './branch-dialogs.tsx';
import { useBranchesChanged } from './use-branches.ts';

type Draft = ApiReply<'POST /projects/:id/pull-requests/draft'>;

/** Drafts a pull request from the error that the branch fixes, and opens it at the code host. */
export function PullRequestDialog({ project, branch, onClose }: BranchDialogProps) {
  const { t } = useTranslation('branches');
  const body = { branch: branch.pushed?.target ?? branch.name, session_id: branch.session_id };
  const draft = useQuery({
    queryKey: ['POST /projects/:id/pull-requests/draft', project.id, body],
    queryFn: () => api('POST /projects/:id/pull-requests/draft', { params: { id: project.id }, body }),
    staleTime: 0,
  });
  return (
    <Dialog open onClose={onClose} title={t('pull_dialog.title')}>
      <QueryState query={draft} loading={['80%', '60%', '70%']}>
        {(data) => <PullRequestForm draft={data} source={body} projectId={project.id} onClose={onClose} />}
      </QueryState>
    </Dialog>
  );
}

interface PullRequestFormProps {
  draft: Draft;
  source: { branch: string; session_id: string | null };
  projectId: string;
  onClose: () => void;
}

function PullRequestForm({ draft, source, projectId, onClose }: PullRequestFormProps) {
  const { t } = useTranslation('branches');
  const changed = useBranchesChanged();
  const [title, setTitle] = useState(draft.title);
  const [text, setText] = useState(draft.body);
  const [isDraft, setIsDraft] = useState(false);
  const open = useMutation({
    mutationFn: () =>
      api('POST /projects/:id/pull-requests', {
        params: { id: projectId },
        body: { ...source, target: draft.target, title, body: text, draft: isDraft },
      }),
    onSuccess: changed,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    open.mutate();
  };
  if (open.data) return <OpenedRequest number={open.data.number} url={open.data.url} onClose={onClose} />;
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <p className="text-muted">
        {t('pull_dialog.into', { branch: source.branch, target: draft.target, host: draft.host })}
      </p>
      <Field label={t('pull_dialog.name')}>
        <Input value={title} maxLength={250} onChange={(event) => setTitle(event.target.value)} />
      </Field>
      <Field label={t('pull_dialog.body')} aside={<CopyButton text={text} />}>
        <Textarea
          className="font-mono text-sm"
          rows={12}
          value={text}
          maxLength={60_000}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      {draft.has_token ? (
        <Checkbox
          label={t('pull_dialog.draft')}
          checked={isDraft}
          onChange={(event) => setIsDraft(event.target.checked)}
        />
      ) : (
        <Notice>
          {t(draft.compare_url ? 'pull_dialog.no_token' : 'pull_dialog.unknown_host', { host: draft.host })}
        </Notice>
      )}
      {open.error && (
        <Notice kind="error" onRetry={() => open.mutate()}>
          {open.error.message}
        </Notice>
      )}
      <DialogActions>
        <Button onClick={onClose}>{t('cancel')}</Button>
        {draft.compare_url && (
          <a
            href={draft.compare_url}
            target="_blank"
            rel="noreferrer"
            className={buttonClass(draft.has_token ? 'plain' : 'primary')}
          >
            {t('pull_dialog.at_host', { host: draft.host })}
          </a>
        )}
        {draft.has_token && (
          <Button type="submit" kind="primary" loading={open.isPending} disabled={title.trim() === ''}>
            {t('pull_request')}
          </Button>
        )}
      </DialogActions>
    </form>
  );
}

function OpenedRequest({ number, url, onClose }: { number: number; url: string; onClose: () => void }) {
  const { t } = useTranslation('branches');
  return (
    <>
      <Notice kind="success">
        {t('pull_dialog.opened', { number })}{' '}
        <a href={url} target="_blank" rel="noreferrer" className="link">
          {t('result.open')}
        </a>
      </Notice>
      <DialogActions>
        <Button kind="primary" onClick={onClose}>
          {t('close')}
        </Button>
      </DialogActions>
    </>
  );
}
