import { Pencil } from 'lucide-react';
import { useState } from 'react';
import type { Profile } from '#contract/account.ts';
import { useTranslation } from '../i18n.ts';
import { EmailVerificationNotice } from '../parts/email-verification-notice.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { DescriptionList } from '../ui/description-list.tsx';
import { formatLongDate } from '../ui/format-time.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { useToast } from '../ui/toast.tsx';
import { signOut, useCurrentUser } from '../user.ts';
import { ProfileForm } from './profile-form.tsx';

/** `/profile`: the user's profile, viewed and edited. */
export function Component() {
  const { t } = useTranslation('profile');
  return (
    <QueryState query={useCurrentUser()} title={t('title')}>
      {(user) => <ProfilePage user={user} />}
    </QueryState>
  );
}

function ProfilePage({ user }: { user: Profile }) {
  const { t } = useTranslation('profile');
  const [editing, setEditing] = useState(false);
  const toast = useToast();
  const name = user.full_name || user.username;
  return (
    <div className="max-w-[640px]">
      <PageHeader
        title={t('title')}
        actions={
          <>
            {!editing && (
              <Button onClick={() => setEditing(true)}>
                <Pencil aria-hidden="true" className="size-4" />
                {t('edit')}
              </Button>
            )}
            <Button onClick={() => void signOut()}>{t('logout')}</Button>
          </>
        }
      />
      <div className="mb-6 flex items-center gap-4">
        <Avatar name={name} size="large" />
        <div className="min-w-0">
          <p className="truncate text-answer font-semibold">{name}</p>
          <p className="truncate text-muted">{user.email}</p>
        </div>
      </div>
      <div className="mb-6 empty:hidden">
        <EmailVerificationNotice user={user} />
      </div>
      {editing ? (
        <ProfileForm
          user={user}
          onCancel={() => setEditing(false)}
          onSaved={() => {
            setEditing(false);
            toast(t('saved'));
          }}
        />
      ) : (
        <ProfileDetails user={user} />
      )}
      <AccountDetails user={user} />
    </div>
  );
}

function ProfileDetails({ user }: { user: Profile }) {
  const { t } = useTranslation('profile');
  const orNotGiven = (value: string | null) => value ?? <span className="text-muted">{t('not_given')}</span>;
  return (
    <section>
      <h2 className="mb-2">{t('about')}</h2>
      <DescriptionList
        items={{
          [t('full_name')]: orNotGiven(user.full_name),
          [t('username')]: user.username,
          [t('email')]: user.email,
          [t('bio')]: orNotGiven(user.bio),
          [t('location')]: orNotGiven(user.location),
          [t('website')]: user.website ? <Website url={user.website} /> : orNotGiven(null),
        }}
      />
    </section>
  );
}

function Website({ url }: { url: string }) {
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" className="link">
      {url}
    </a>
  );
}

function AccountDetails({ user }: { user: Profile }) {
  const { t, i18n } = useTranslation('profile');
  return (
    <section className="mt-8">
      <h2 className="mb-2">{t('account')}</h2>
      <DescriptionList
        items={{
          [t('joined')]: formatLongDate(user.created_at, i18n.language),
          [t('plan')]: t(`parts:plans.${user.subscription_plan}`),
          [t('role')]: t(`parts:roles.${user.role}`),
        }}
      />
    </section>
  );
}
