import {
  Bell,
  BookOpen,
  Bug,
  CreditCard,
  FolderGit2,
  History,
  House,
  LayoutDashboard,
  type LucideIcon,
  Settings,
  ShieldCheck,
  UserRound,
} from 'lucide-react';

/** Sidebar entry: translation key, path and icon. */
interface MenuEntry {
  text: string;
  to: string;
  icon: LucideIcon;
}

/** Group of entries with a heading. */
export interface MenuGroup {
  text: string;
  entries: MenuEntry[];
}

/** Menu of signed-in users. */
export const USER_MENU: MenuGroup[] = [
  {
    text: 'menu.main',
    entries: [
      { text: 'menu.home', to: '/', icon: House },
      { text: 'menu.dashboard', to: '/dashboard', icon: LayoutDashboard },
      { text: 'menu.profile', to: '/profile', icon: UserRound },
      { text: 'menu.notifications', to: '/notifications', icon: Bell },
      { text: 'menu.subscription', to: '/subscription', icon: CreditCard },
      { text: 'menu.settings', to: '/settings', icon: Settings },
      { text: 'menu.how_to_use', to: '/how-to-use', icon: BookOpen },
    ],
  },
  {
    text: 'menu.development',
    entries: [
      { text: 'menu.projects', to: '/projects', icon: FolderGit2 },
      { text: 'menu.debug', to: '/debug', icon: Bug },
      { text: 'menu.history', to: '/history', icon: History },
    ],
  },
];

/** Additional group of administrators. */
export const ADMIN_MENU: MenuGroup = {
  text: 'menu.server',
  entries: [{ text: 'menu.admin', to: '/admin', icon: ShieldCheck }],
};

/** Menu of visitors. */
export const VISITOR_MENU: MenuGroup[] = [
  {
    text: 'menu.menu',
    entries: [
      { text: 'menu.home', to: '/', icon: House },
      { text: 'menu.how_to_use', to: '/how-to-use', icon: BookOpen },
      { text: 'menu.subscription', to: '/subscription', icon: CreditCard },
    ],
  },
];
