import { useMutation, useQueryClient } from '@tanstack/react-query';
import { MessagesSquare, Plus, SquareArrowOutUpRight } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { ApiReply } from '#contract/api.ts';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { chatKeys } from '../query-keys.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

const ThreadListDialog = lazyComponent(() =>
  import('./thread-list-dialog.tsx').then((module) => module.ThreadListDialog),
);
const ThreadMenu = lazyComponent(() => import('./thread-menu.tsx').then((module) => module.ThreadMenu));

/** A thread in lists. */
export type ListedThread = ApiReply<'GET /chat/projects/:id/threads'>['threads'][number];

interface ThreadBarProps {
  projectId: string;
  /** Displayed thread. */
  thread: ListedThread | undefined;
  /** Selects a thread; undefined selects the newest. */
  onChoose: (id: string | undefined) => void;
}

/** Title of the displayed thread, thread list, new-thread button and thread menu. */
export function ThreadBar({ projectId, thread, onChoose }: ThreadBarProps) {
  const { t } = useTranslation('chat');
  const client = useQueryClient();
  const [listOpen, setListOpen] = useState(false);
  const create = useMutation({
    mutationFn: () => api('POST /chat/projects/:id/threads', { params: { id: projectId } }),
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: chatKeys.threads });
      onChoose(id);
    },
  });
  return (
    <div className="border-b border-border">
      <div className="mx-auto flex min-h-10 max-w-[760px] items-center gap-1 px-2">
        <div className="min-w-0">
          <Button
            kind="ghost"
            className="max-w-full gap-2 px-2"
            aria-haspopup="dialog"
            title={t('threads.open')}
            onClick={() => setListOpen(true)}
          >
            <MessagesSquare aria-hidden className="size-4 shrink-0" />
            <span className="min-w-0 truncate">{thread?.title ?? t('threads.new')}</span>
          </Button>
        </div>
        {thread?.shared && (
          <span className="flex shrink-0 items-center gap-1 text-sm text-muted">
            <SquareArrowOutUpRight aria-hidden className="size-3.5" />
            {thread.owner ? t('threads.shared_by', { owner: thread.owner }) : t('threads.shared')}
          </span>
        )}
        <span className="ml-auto flex shrink-0 items-center gap-1">
          <IconButton
            label={t('threads.begin')}
            icon={<Plus aria-hidden className="size-4" />}
            disabled={create.isPending}
            onClick={() => create.mutate()}
          />
          {thread && thread.owner === null && (
            <Suspense fallback={<span className="size-8" />}>
              <ThreadMenu projectId={projectId} thread={thread} onDeleted={() => onChoose(undefined)} />
            </Suspense>
          )}
        </span>
      </div>
      {create.error && (
        <Notice kind="error" className="m-2">
          {create.error.message}
        </Notice>
      )}
      {listOpen && (
        <Suspense>
          <ThreadListDialog
            projectId={projectId}
            shown={thread?.id}
            onChoose={(id) => {
              onChoose(id);
              setListOpen(false);
            }}
            onClose={() => setListOpen(false)}
          />
        </Suspense>
      )}
    </div>
  );
}
