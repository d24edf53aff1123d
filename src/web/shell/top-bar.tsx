import { clsx } from 'clsx';
import { PanelLeft } from 'lucide-react';
import { Link } from 'react-router';
import type { Profile } from '#contract/account.ts';
import { useTranslation } from '../i18n.ts';
import { Mark } from '../parts/mark.tsx';
import { SearchBox } from '../search-box.ts';
import { Avatar } from '../ui/avatar.tsx';
import { buttonClass, IconButton } from '../ui/button.tsx';
import { NotificationBell } from './notification-bell.tsx';

interface TopBarProps {
  user: Profile | null;
  signedIn: boolean;
  menu: { open: boolean; shown: boolean; id: string; toggle: () => void };
}

/** Menu toggle, brand, search, notifications and profile link. */
export function TopBar({ user, signedIn, menu }: TopBarProps) {
  const { t } = useTranslation('shell');
  return (
    <header className="sticky top-0 z-30 flex h-12 items-center gap-2 border-b border-border bg-surface px-2 sm:gap-3 sm:px-4">
      <div className={clsx('flex items-center gap-2', signedIn && 'lg:w-45')}>
        {menu.shown && (
          <IconButton
            label={t(menu.open ? 'close_menu' : 'open_menu')}
            aria-expanded={menu.open}
            aria-controls={menu.id}
            onClick={menu.toggle}
            icon={<PanelLeft aria-hidden="true" className="size-4" />}
            className="sm:-ml-2"
          />
        )}
        <Link to="/" className="flex items-center gap-2 rounded-md text-answer font-semibold">
          <Mark />
          <span className={signedIn ? 'max-sm:sr-only' : undefined}>Hindsight</span>
        </Link>
      </div>
      <div className="min-w-0 flex-1">{signedIn && <SearchBox />}</div>
      {user && <NotificationBell />}
      {user && <ProfileLink user={user} />}
      {!signedIn && (
        <Link to="/login" className={buttonClass('plain')}>
          {t('sign_in')}
        </Link>
      )}
    </header>
  );
}

function ProfileLink({ user }: { user: Profile }) {
  const name = user.full_name || user.username;
  return (
    <Link to="/profile" className="flex h-8 items-center gap-2 rounded-md">
      <Avatar name={name} />
      <span className="max-w-40 truncate max-sm:sr-only">{name}</span>
    </Link>
  );
}
