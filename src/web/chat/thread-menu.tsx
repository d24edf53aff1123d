import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { Download, Ellipsis, Pencil, SquareArrowOutUpRight, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { getAccessToken } from '../access-token.ts';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { chatKeys } from '../query-keys.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Field, Input } from '../ui/field.tsx';
import { Menu } from '../ui/menu.tsx';
import { Notice } from '../ui/notice.tsx';
import type { ListedThread } from './thread-bar.tsx';

interface ThreadMenuProps {
  projectId: string;
  thread: ListedThread;
  onDeleted: () => void;
}

/** Actions on one's own thread: rename, export, share, delete. */
export function ThreadMenu({ projectId, thread, onDeleted }: ThreadMenuProps) {
  const { t } = useTranslation('chat');
  const client = useQueryClient();
  const params = { id: projectId, thread: thread.id };
  const [openDialog, setOpenDialog] = useState<'title' | 'remove' | null>(null);
  const onSuccess = async () => {
    setOpenDialog(null);
    await client.invalidateQueries({ queryKey: chatKeys.threads });
  };
  const update = useMutation({
    mutationFn: (body: { title?: string; shared?: boolean }) =>
      api('PUT /chat/projects/:id/threads/:thread', { params, body }),
    onSuccess,
  });
  const remove = useMutation({
    mutationFn: () => api('DELETE /chat/projects/:id/threads/:thread', { params }),
    onSuccess: async () => {
      await onSuccess();
      onDeleted();
    },
  });
  const exportThread = useMutation({ mutationFn: () => download(projectId, thread.id) });
  const failure = update.error ?? remove.error ?? exportThread.error;
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
            onSelect: () => setOpenDialog('title'),
          },
          { label: t('threads.export'), icon: <Download {...icon} />, onSelect: () => exportThread.mutate() },
          {
            label: t(thread.shared ? 'threads.unshare' : 'threads.share'),
            icon: <SquareArrowOutUpRight {...icon} />,
            onSelect: () => update.mutate({ shared: !thread.shared }),
          },
          { label: t('threads.remove'), icon: <Trash2 {...icon} />, onSelect: () => setOpenDialog('remove') },
        ]}
      />
      {failure && openDialog === null && (
        <Dialog
          open
          size="narrow"
          title={t('threads.failed')}
          onClose={() => {
            update.reset();
            remove.reset();
            exportThread.reset();
          }}
        >
          <p>{failure.message}</p>
        </Dialog>
      )}
      {openDialog === 'title' && (
        <RenameThreadDialog
          title={thread.title}
          error={update.error}
          saving={update.isPending}
          onSave={(title) => update.mutate({ title })}
          onClose={() => setOpenDialog(null)}
        />
      )}
      {openDialog === 'remove' && (
        <DeleteThreadDialog thread={thread} remove={remove} onClose={() => setOpenDialog(null)} />
      )}
    </>
  );
}

/** Downloads the thread; a plain link would carry no access token. */
async function download(projectId: string, thread: string): Promise<void> {
  const url = `/api/chat/projects/${projectId}/threads/${thread}/export`;
  const reply = await fetch(url, { headers: { authorization: `Bearer ${getAccessToken()}` } });
  if (!reply.ok) throw new Error(reply.statusText);
  const [, name = 'chat.md'] =
    /filename="([^"]+)"/.exec(reply.headers.get('content-disposition') ?? '') ?? [];
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await reply.blob());
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

interface RenameThreadDialogProps {
  title: string;
  error: Error | null;
  saving: boolean;
  onSave: (title: string) => void;
  onClose: () => void;
}

function RenameThreadDialog({ title: initial, error, saving, onSave, onClose }: RenameThreadDialogProps) {
  const { t } = useTranslation('chat');
  const [title, setTitle] = useState(initial);
  return (
    <Dialog open size="narrow" title={t('threads.rename')} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSave(title);
        }}
      >
        <Field label={t('threads.title')} error={error?.message}>
          <Input value={title} maxLength={120} onChange={(event) => setTitle(event.target.value)} />
        </Field>
        <DialogActions>
          <Button onClick={onClose}>{t('clear.cancel')}</Button>
          <Button kind="primary" type="submit" disabled={title.trim() === ''} loading={saving}>
            {t('threads.save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

interface DeleteThreadDialogProps {
  thread: ListedThread;
  remove: Pick<UseMutationResult, 'error' | 'isPending'> & { mutate: () => void };
  onClose: () => void;
}

function DeleteThreadDialog({ thread, remove, onClose }: DeleteThreadDialogProps) {
  const { t } = useTranslation('chat');
  return (
    <Dialog open size="narrow" title={t('threads.remove')} onClose={onClose}>
      <p>{t('threads.remove_question', { title: thread.title })}</p>
      {remove.error && (
        <Notice kind="error" className="mt-4">
          {remove.error.message}
        </Notice>
      )}
      <DialogActions>
        <Button onClick={onClose}>{t('clear.cancel')}</Button>
        <Button kind="danger" loading={remove.isPending} onClick={() => remove.mutate()}>
          {t('threads.remove')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
