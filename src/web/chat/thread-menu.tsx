import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Download, Ellipsis, Pencil, SquareArrowOutUpRight, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { accessToken } from '../access-token.ts';
import { api } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Field, Input } from '../ui/field.tsx';
import { Menu } from '../ui/menu.tsx';
import { Notice } from '../ui/notice.tsx';
import type { Thread } from './thread-bar.tsx';

interface ThreadMenuProps {
  projectId: string;
  thread: Thread;
  onGone: () => void;
}

/** What can be done with one's own thread: a title, a file of it, sharing, deleting. */
export function ThreadMenu({ projectId, thread, onGone }: ThreadMenuProps) {
  const { t } = useTranslation('chat');
  const queries = useQueryClient();
  const params = { id: projectId, thread: thread.id };
  const [asking, setAsking] = useState<'title' | 'remove' | null>(null);
  const [title, setTitle] = useState(thread.title);
  const onSuccess = async () => {
    setAsking(null);
    await queries.invalidateQueries({ queryKey: ['GET /chat/projects/:id/threads'] });
  };
  const changing = useMutation({
    mutationFn: (body: { title?: string; shared?: boolean }) =>
      api('PUT /chat/projects/:id/threads/:thread', { params, body }),
    onSuccess,
  });
  const removing = useMutation({
    mutationFn: () => api('DELETE /chat/projects/:id/threads/:thread', { params }),
    onSuccess: async () => {
      await onSuccess();
      onGone();
    },
  });
  const saving = useMutation({ mutationFn: () => download(projectId, thread.id) });
  const failure = changing.error ?? removing.error ?? saving.error;
  const icon = { 'aria-hidden': true, className: 'size-4' } as const;
  return (
    <>
      <Menu
        label={t('threads.menu')}
        trigger={<Ellipsis {...icon} />}
        items={[
          {
            label: t('threads.rename'),
            icon: <Pencil {...icon} />,
            onSelect: () => {
              setTitle(thread.title);
              setAsking('title');
            },
          },
          { label: t('threads.export'), icon: <Download {...icon} />, onSelect: () => saving.mutate() },
          {
            label: t(thread.shared ? 'threads.unshare' : 'threads.share'),
            icon: <SquareArrowOutUpRight {...icon} />,
            onSelect: () => changing.mutate({ shared: !thread.shared }),
          },
          { label: t('threads.remove'), icon: <Trash2 {...icon} />, onSelect: () => setAsking('remove') },
        ]}
      />
      {failure && asking === null && (
        <Dialog
          open
          size="narrow"
          title={t('threads.failed')}
          onClose={() => {
            changing.reset();
            removing.reset();
            saving.reset();
          }}
        >
          <p>{failure.message}</p>
        </Dialog>
      )}
      {asking === 'title' && (
        <Dialog open size="narrow" title={t('threads.rename')} onClose={() => setAsking(null)}>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              changing.mutate({ title });
            }}
          >
            <Field label={t('threads.title')} error={changing.error?.message}>
              <Input value={title} maxLength={120} onChange={(event) => setTitle(event.target.value)} />
            </Field>
            <DialogActions>
              <Button onClick={() => setAsking(null)}>{t('clear.cancel')}</Button>
              <Button
                kind="primary"
                type="submit"
                disabled={title.trim() === ''}
                loading={changing.isPending}
              >
                {t('threads.save')}
              </Button>
            </DialogActions>
          </form>
        </Dialog>
      )}
      {asking === 'remove' && (
        <Dialog open size="narrow" title={t('threads.remove')} onClose={() => setAsking(null)}>
          <p>{t('threads.remove_question', { title: thread.title })}</p>
          {removing.error && (
            <Notice kind="error" className="mt-4">
              {removing.error.message}
            </Notice>
          )}
          <DialogActions>
            <Button onClick={() => setAsking(null)}>{t('clear.cancel')}</Button>
            <Button kind="danger" loading={removing.isPending} onClick={() => removing.mutate()}>
              {t('threads.remove')}
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  );
}

/** Saves the thread as a file: a plain link would not be signed in. */
async function download(projectId: string, thread: string): Promise<void> {
  const address = `/api/chat/projects/${projectId}/threads/${thread}/export`;
  const reply = await fetch(address, { headers: { authorization: `Bearer ${accessToken()}` } });
  if (!reply.ok) throw new Error(reply.statusText);
  const [, name = 'chat.md'] =
    /filename="([^"]+)"/.exec(reply.headers.get('content-disposition') ?? '') ?? [];
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await reply.blob());
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
