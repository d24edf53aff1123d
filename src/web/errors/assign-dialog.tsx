import { useQuery } from '@tanstack/react-query';
import { Check, UserRoundX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Input } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { useCurrentUser } from '../user.ts';
import type { ErrorDialogProps } from './resolve-in-release-dialog.tsx';

/** Members from which on a search field is of use. */
const MIN_SEARCHED = 8;

interface Person {
  id: string;
  username: string;
  full_name: string | null;
}

/** Chooses who takes care of errors: a member of their project; of several projects, only the user. */
export function AssignDialog({ errors, onClose, onChange }: ErrorDialogProps) {
  const { t } = useTranslation('errors-page');
  const [text, setText] = useState('');
  const me = useCurrentUser().data;
  const projects = new Set(errors.map(({ project_id }) => project_id));
  const isOne = projects.size === 1;
  const query = useQuery({
    ...apiQuery('GET /projects/:id/members', { params: { id: [...projects][0] ?? '' } }),
    enabled: isOne,
  });
  const others = (query.data?.members ?? []).filter(({ user_id }) => user_id !== me?.id);
  const people: Person[] = [
    ...(me ? [{ id: me.id, username: me.username, full_name: t('assign.me') }] : []),
    ...(isOne ? others.map(({ user_id, ...rest }) => ({ ...rest, id: user_id })) : []),
  ];
  const wanted = text.trim().toLowerCase();
  const shown = people.filter(({ username, full_name }) =>
    `${username} ${full_name ?? ''}`.toLowerCase().includes(wanted),
  );
  const isAssigned = (id: string | null) => errors.every(({ assignee }) => (assignee?.id ?? null) === id);
  return (
    <Dialog open onClose={onClose} title={t('assign.title', { count: errors.length })} size="narrow">
      {people.length >= MIN_SEARCHED && (
        <Input
          type="search"
          className="mb-2"
          aria-label={t('assign.search')}
          placeholder={t('assign.search')}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      {query.error && (
        <Notice kind="error" className="mb-2" onRetry={query.refetch}>
          {query.error.message}
        </Notice>
      )}
      <ul className="border-b border-border">
        {shown.map(({ id, username, full_name }) => (
          <Choice key={id} isChosen={isAssigned(id)} onClick={() => onChange({ assignee: id })}>
            <Avatar name={full_name && id !== me?.id ? full_name : username} />
            <span className="min-w-0 flex-1 truncate text-left">
              {username} {full_name && <span className="text-muted">{full_name}</span>}
            </span>
          </Choice>
        ))}
        <Choice isChosen={isAssigned(null)} onClick={() => onChange({ assignee: null })}>
          <UserRoundX aria-hidden className="mx-1 size-4 text-muted" />
          <span className="flex-1 text-left">{t('assign.none')}</span>
        </Choice>
      </ul>
      {!isOne && <p className="mt-3 text-sm text-muted">{t('assign.several_projects')}</p>}
    </Dialog>
  );
}

interface ChoiceProps {
  isChosen: boolean;
  onClick: () => void;
  children: ReactNode;
}

function Choice({ isChosen, onClick, children }: ChoiceProps) {
  return (
    <li className="border-t border-border">
      <button
        type="button"
        aria-pressed={isChosen}
        onClick={onClick}
        className="flex min-h-9 w-full items-center gap-2 px-1 hover:bg-select focus-visible:-outline-offset-2"
      >
        {children}
        {isChosen && <Check aria-hidden className="size-4 text-action" />}
      </button>
    </li>
  );
}
