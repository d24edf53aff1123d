import { clsx } from 'clsx';
import { LogOut } from 'lucide-react';
import { NavLink } from 'react-router';
import { useTranslation } from '../i18n.ts';
import { signOut, useCurrentUser } from '../user.ts';
import { ADMIN_MENU, type MenuGroup, USER_MENU, VISITOR_MENU } from './menu-entries.ts';
import { ThemeSwitch } from './theme-switch.tsx';

const MENU_ITEM_CLASS =
  'flex h-8 w-full items-center gap-2.5 rounded-md px-2 transition-colors duration-150 hover:bg-select focus-visible:-outline-offset-2';

interface SidebarProps {
  signedIn: boolean;
  /** Called after a link was followed. */
  onFollow?: () => void;
}

/** Navigation, theme switch and Logout. */
export function Sidebar({ signedIn, onFollow }: SidebarProps) {
  const { t } = useTranslation('shell');
  const isAdmin = useCurrentUser().data?.role === 'admin';
  const groups = isAdmin ? [...USER_MENU, ADMIN_MENU] : USER_MENU;
  return (
    <div className="flex flex-1 flex-col gap-0.5 px-2 py-3">
      <nav aria-label={t('navigation')}>
        {(signedIn ? groups : VISITOR_MENU).map((group) => (
          <Group key={group.text} group={group} onFollow={onFollow} />
        ))}
      </nav>
      <div className="mt-auto flex flex-col gap-2 pt-6">
        <ThemeSwitch />
        {signedIn && (
          <button
            type="button"
            onClick={() => void signOut()}
            className={clsx(MENU_ITEM_CLASS, 'text-muted hover:text-foreground')}
          >
            <LogOut aria-hidden="true" className="size-4" />
            {t('menu.logout')}
          </button>
        )}
      </div>
    </div>
  );
}

function Group({ group, onFollow }: { group: MenuGroup; onFollow: (() => void) | undefined }) {
  const { t } = useTranslation('shell');
  return (
    <section className="pb-2">
      <h2 className="px-2 pt-2 pb-1 text-xs tracking-[0.04em] text-muted">{t(group.text)}</h2>
      <ul>
        {group.entries.map(({ text, to, icon: Icon }) => (
          <li key={to}>
            <NavLink
              to={to}
              end={to === '/'}
              onClick={onFollow}
              className={({ isActive }) => clsx(MENU_ITEM_CLASS, isActive && 'bg-select font-semibold')}
            >
              <Icon aria-hidden="true" className="size-4 text-muted" />
              {t(text)}
            </NavLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
