import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { EllipsisVertical } from 'lucide-react';
import type { Profile } from '#contract/account.ts';
import type { AdminUser } from '#contract/admin.ts';
import type { ApiInput } from '#contract/api.ts';
import { api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { LazyMenu } from '../parts/lazy-menu.tsx';
import { adminKeys } from '../query-keys.ts';
import { formatLongDate } from '../ui/format-time.ts';
import { Notice } from '../ui/notice.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { SearchableList, useListQuery } from './searchable-list.tsx';
import { SKELETON_ROWS } from './skeleton-rows.ts';
import { Table } from './table.tsx';

/** All accounts. Others than one's own can be deactivated, promoted, and relieved of a lost second factor. */
export function UserList({ me }: { me: Profile }) {
  const { t, i18n } = useTranslation('admin');
  const list = useListQuery();
  const users = useQuery({
    ...apiQuery('GET /admin/users', { query: list.query }),
    placeholderData: keepPreviousData,
  });
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: ({ id, ...body }: UserChange) => api('PUT /admin/users/:id', { params: { id }, body }),
    onSettled: () => client.invalidateQueries({ queryKey: adminKeys.users }),
  });
  const statusLabel = (user: AdminUser) => {
    if (!user.is_active) return t('users.deactivated');
    if (user.deletion_at)
      return t('users.leaving', { date: formatLongDate(user.deletion_at, i18n.language) });
    return t('users.active');
  };
  return (
    <SearchableList list={list} label={t('users.search')} total={users.data?.total}>
      {change.error && (
        <Notice kind="error" className="mb-3">
          {change.error.message}
        </Notice>
      )}
      <QueryState query={users} loading={SKELETON_ROWS}>
        {({ users: rows }) => (
          <Table
            label={t('tabs.users')}
            columns={[
              { name: t('users.name') },
              { name: t('users.email') },
              { name: t('users.role') },
              { name: t('users.state') },
              { name: t('users.two_factor') },
              { name: t('users.projects'), numeric: true },
              { name: t('users.seen') },
              { name: <span className="sr-only">{t('users.actions')}</span>, numeric: true },
            ]}
            rows={rows.map((user) => ({
              key: user.id,
              cells: [
                <span key="name" className={user.is_active ? 'font-semibold' : 'text-muted'}>
                  {user.username}
                </span>,
                user.email,
                t(`parts:roles.${user.role}`),
                statusLabel(user),
                t(user.two_factor_enabled ? 'users.yes' : 'users.no'),
                user.project_count,
                user.last_seen_at ? <RelativeTime key="seen" at={user.last_seen_at} /> : t('users.never'),
                user.id === me.id ? (
                  <span key="you" className="text-muted">
                    {t('users.you')}
                  </span>
                ) : (
                  <UserMenu key="menu" user={user} onChange={change.mutate} />
                ),
              ],
            }))}
          />
        )}
      </QueryState>
    </SearchableList>
  );
}

type UserChange = { id: string } & ApiInput<'PUT /admin/users/:id'>['body'];

function UserMenu({ user, onChange }: { user: AdminUser; onChange: (change: UserChange) => void }) {
  const { t } = useTranslation('admin');
  return (
    <LazyMenu
      label={t('users.actions_for', { name: user.username })}
      trigger={<EllipsisVertical aria-hidden="true" className="size-4" />}
      items={[
        {
          label: t(user.is_active ? 'users.deactivate' : 'users.activate'),
          onSelect: () => onChange({ id: user.id, is_active: !user.is_active }),
        },
        {
          label: t(user.role === 'admin' ? 'users.make_user' : 'users.make_admin'),
          onSelect: () => onChange({ id: user.id, role: user.role === 'admin' ? 'user' : 'admin' }),
        },
        {
          label: t('users.reset_two_factor'),
          disabled: !user.two_factor_enabled,
          onSelect: () => onChange({ id: user.id, two_factor_enabled: false }),
        },
      ]}
    />
  );
}
