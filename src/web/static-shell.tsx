import { useTranslation } from './i18n.ts';
import { Mark } from './parts/mark.tsx';
import { type MenuGroup, USER_MENU, VISITOR_MENU } from './shell/menu-entries.ts';

/**
 * First paint of the application: its frame with menu, from the HTML of the server, until the scripts replace it in the same
 * places. The sign-in state is an attribute of the document.
 */
export function StaticShell() {
  const { t } = useTranslation('shell');
  return (
    <>
      <header className="sticky top-0 z-30 flex h-12 items-center gap-2 border-b border-border bg-surface px-2 sm:gap-3 sm:px-4">
        <span className="size-8 shrink-0 sm:-ml-2 in-data-[signed-in=no]:lg:hidden" />
        <a href="/" className="flex items-center gap-2 rounded-md text-answer font-semibold">
          <Mark />
          <span>Hindsight</span>
        </a>
      </header>
      <div className="flex min-h-[calc(100vh-48px)]">
        <aside
          aria-label={t('menu.menu')}
          className="sticky top-12 flex h-[calc(100vh-48px)] w-52 shrink-0 flex-col overflow-y-auto border-r border-border bg-surface px-2 py-3 max-lg:hidden in-data-[sidebar=closed]:hidden"
        >
          <nav aria-label={t('navigation')} className="in-data-[signed-in=yes]:hidden">
            <StaticMenu groups={VISITOR_MENU} />
          </nav>
          <nav aria-label={t('navigation')} className="in-data-[signed-in=no]:hidden">
            <StaticMenu groups={USER_MENU} />
          </nav>
        </aside>
        <main id="page" className="page min-w-0 flex-1">
          <p role="status" className="delayed-fade-in text-muted">
            {t('loading')}
          </p>
          <noscript>
            <p>{t('no_script')}</p>
          </noscript>
        </main>
      </div>
    </>
  );
}

function StaticMenu({ groups }: { groups: MenuGroup[] }) {
  const { t } = useTranslation('shell');
  return groups.map((group) => (
    <section key={group.text} className="pb-2">
      <h2 className="px-2 pt-2 pb-1 text-xs tracking-[0.04em] text-muted">{t(group.text)}</h2>
      <ul>
        {group.entries.map(({ text, to, icon: Icon }) => (
          <li key={to}>
            <a href={to} className="flex h-8 items-center gap-2.5 rounded-md px-2">
              <Icon aria-hidden="true" className="size-4 text-muted" />
              {t(text)}
            </a>
          </li>
        ))}
      </ul>
    </section>
  ));
}
