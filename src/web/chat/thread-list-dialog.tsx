import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { useState } from 'react';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Input } from '../ui/field.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';

interface ThreadListDialogProps {
  projectId: string;
  shown: string | undefined;
  onChoose: (id: string) => void;
  onClose: () => void;
}

/** Searchable list of the user's own threads and of shared ones. */
export function ThreadListDialog({ projectId, shown, onChoose, onClose }: ThreadListDialogProps) {
  const { t } = useTranslation('chat');
  const [words, setWords] = useState('');
  const filter = words.trim() === '' ? {} : { q: words.trim() };
  const query = useQuery({
    ...apiQuery('GET /chat/projects/:id/threads', { params: { id: projectId }, query: filter }),
    placeholderData: keepPreviousData,
  });
  return (
    <Dialog open onClose={onClose} title={t('threads.open')}>
      <Input
        type="search"
        value={words}
        aria-label={t('threads.search')}
        placeholder={t('threads.search')}
        maxLength={200}
        onChange={(event) => setWords(event.target.value)}
      />
      <QueryState
        query={query}
        showStaleError
        errorClassName="mt-3"
        empty={<p className="mt-3 text-muted">{t(words ? 'threads.none_found' : 'threads.none')}</p>}
        isEmpty={({ threads }) => threads.length === 0}
      >
        {({ threads }) => (
          <ul className="mt-3">
            {threads.map(({ id, title, updated_at, message_count: messages, owner, excerpt }) => (
              <li key={id} className="border-t border-border last:border-b">
                <button
                  type="button"
                  aria-current={id === shown || undefined}
                  className={clsx('w-full px-1 py-2 text-left hover:bg-select', id === shown && 'bg-select')}
                  onClick={() => onChoose(id)}
                >
                  <span className="block font-semibold wrap-anywhere">{title}</span>
                  {excerpt && <span className="block text-sm wrap-anywhere">{excerpt}</span>}
                  <span className="flex flex-wrap gap-x-3 text-sm text-muted">
                    <RelativeTime at={updated_at} />
                    <span>{t('threads.messages', { count: messages })}</span>
                    {owner && <span>{t('threads.shared_by', { owner })}</span>}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </QueryState>
    </Dialog>
  );
}
