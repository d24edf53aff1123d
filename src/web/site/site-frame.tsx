import type { ReactNode } from 'react';
import { LANGUAGE_NAMES, useTranslation } from '../i18n.ts';
import { Mark } from '../parts/mark.tsx';
import { THEMES } from '../theme.ts';
import { buttonClass } from '../ui/button.tsx';
import { SITE_PAGES, type SitePath } from './site-paths.ts';

const HEADER_LINKS: SitePath[] = ['/features', '/pricing', '/docs', '/blog'];

const FOOTER_LINKS: { title: string; paths: SitePath[] }[] = [
  { title: 'product', paths: ['/features', '/pricing', '/docs', '/blog'] },
  { title: 'company', paths: ['/about', '/careers'] },
  {
    title: 'legal',
    paths: ['/privacy-policy', '/terms-and-conditions', '/refund-and-cancellation', '/licenses'],
  },
];

/** Layout of a prerendered page: header and footer. */
export function SiteFrame({ path, children }: { path: SitePath | null; children: ReactNode }) {
  const { t } = useTranslation('site');
  return (
    <div className="flex min-h-screen flex-col">
      <a
        href="#page"
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md border border-control bg-surface px-3 py-1.5 focus:translate-y-0"
      >
        {t('frame.skip')}
      </a>
      <SiteHeader path={path} />
      <main id="page" tabIndex={-1} className="mx-auto w-full max-w-[1200px] flex-1 px-4 pb-20 sm:px-8">
        {children}
      </main>
      <SiteFooter path={path} />
    </div>
  );
}

function SiteHeader({ path }: { path: SitePath | null }) {
  const { t } = useTranslation('site');
  return (
    <header className="border-b border-border bg-surface">
      <div className="mx-auto flex min-h-12 max-w-[1200px] flex-wrap items-center gap-x-5 gap-y-1 px-4 py-2 sm:px-8">
        <a href="/" className="mr-auto flex items-center gap-2 rounded-md text-answer font-semibold">
          <Mark />
          Hindsight
        </a>
        <nav aria-label={t('frame.pages')} className="flex flex-wrap gap-x-5 max-sm:order-last max-sm:w-full">
          {HEADER_LINKS.map((to) => (
            <PageLink key={to} to={to} here={path} />
          ))}
        </nav>
        <div className="flex gap-2">
          <a href="/login" className={buttonClass('plain', 'in-data-[signed-in=yes]:hidden')}>
            {t('landing.sign_in')}
          </a>
          <a href="/" className={buttonClass('plain', 'in-data-[signed-in=no]:hidden')}>
            {t('frame.open')}
          </a>
        </div>
      </div>
    </header>
  );
}

function SiteFooter({ path }: { path: SitePath | null }) {
  const { t } = useTranslation('site');
  return (
    <footer className="border-t border-border">
      <div className="mx-auto grid max-w-[1200px] grid-cols-2 gap-x-8 gap-y-6 px-4 py-8 sm:px-8 md:grid-cols-5">
        {FOOTER_LINKS.map(({ title, paths }) => (
          <FooterGroup key={title} title={t(`frame.${title}`)}>
            {paths.map((to) => (
              <PageLink key={to} to={to} here={path} />
            ))}
          </FooterGroup>
        ))}
        <FooterGroup title={t('frame.language')}>
          {Object.entries(LANGUAGE_NAMES).map(([language, name]) => (
            <a key={language} href={`?language=${language}`} lang={language} className="hover:text-action">
              {name}
            </a>
          ))}
        </FooterGroup>
        <FooterGroup title={t('shell:theme.legend')}>
          {THEMES.map((theme) => (
            <a key={theme} href={`?theme=${theme}`} className="hover:text-action">
              {t(`shell:theme.${theme}`)}
            </a>
          ))}
        </FooterGroup>
      </div>
    </footer>
  );
}

function FooterGroup({ title, children }: { title: string; children: ReactNode[] }) {
  return (
    <section>
      <h2 className="mb-1">{title}</h2>
      <ul className="text-muted">
        {children.map((link, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, the links never move.
          <li key={index} className="py-0.5">
            {link}
          </li>
        ))}
      </ul>
    </section>
  );
}

function PageLink({ to, here }: { to: SitePath; here: SitePath | null }) {
  const { t } = useTranslation('site');
  return (
    <a
      href={to}
      aria-current={to === here ? 'page' : undefined}
      className="py-1 hover:text-action aria-[current]:font-semibold"
    >
      {t(`page.${SITE_PAGES[to]}`)}
    </a>
  );
}
