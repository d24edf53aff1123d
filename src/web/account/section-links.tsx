import { useTranslation } from '../i18n.ts';

/** Anchors of the sections, in the order of the page. */
const TITLES = {
  account: 'account.title',
  notifications: 'notifications.title',
  appearance: 'appearance.title',
  watches: 'watches:title',
  'local-editor': 'local-editor:section',
  password: 'password.title',
  two_factor: 'two_factor.title',
  sessions: 'sessions.title',
  connected: 'connected.title',
  teams: 'teams.title',
  keys: 'keys:title',
  model: 'own-models:own.title',
  data: 'data.title',
} as const;

/** Links to the sections of the settings, beside them on wide screens. */
export function SectionLinks() {
  const { t } = useTranslation(['settings', 'keys', 'own-models', 'watches', 'local-editor']);
  return (
    <nav aria-label={t('sections')} className="sticky top-20 self-start max-xl:hidden">
      <ul className="flex flex-col border-l border-border">
        {Object.entries(TITLES).map(([anchor, title]) => (
          <li key={anchor}>
            <a
              href={`#${anchor}`}
              className="block border-l border-transparent py-1 pl-3 -ml-px text-muted transition-colors duration-150 hover:border-action hover:text-foreground"
            >
              {t(title)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
