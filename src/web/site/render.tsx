import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { RouteObject } from 'react-router';
import type { Language } from '#locales/languages.ts';
import { createI18n, type I18n, I18nContext, LANGUAGE_NAMES } from '../i18n.ts';
import { loadHighlighter } from '../parts/highlight.ts';
import { routes } from '../router.tsx';
import { LandingPage } from './landing-page.tsx';
import { PricingPage } from './pricing-page.tsx';
import { extractTitle, ProsePage } from './prose-page.tsx';
import { RECORDED } from './recorded.ts';
import { SiteFrame } from './site-frame.tsx';
import { SITE_PAGES, type SitePath } from './site-paths.ts';

const LOCALE_FILES = import.meta.glob<Record<string, string>>('../../locales/*/*.json', {
  eager: true,
  import: 'default',
});

/** Markdown pages by path. */
const PROSE = import.meta.glob<string>('./texts/*/*.md', { eager: true, query: '?raw', import: 'default' });

/** Prerendered page and its path below the site folder. */
interface SiteFile {
  path: string;
  html: string;
}

/** Prerenders every page in every language, from the template of the build. */
export async function renderSite(document: string): Promise<SiteFile[]> {
  const files: SiteFile[] = [];
  // Prerendered pages have no script that could colour the code later.
  await Promise.all((RECORDED.answer.places ?? []).map(({ path }) => loadHighlighter(path)));
  for (const language of Object.keys(LANGUAGE_NAMES) as Language[]) {
    const texts = createSiteI18n(language);
    for (const [path, name] of Object.entries(SITE_PAGES)) {
      const { title, content } = renderPage(name, texts);
      const html = renderToStaticMarkup(
        <I18nContext value={texts}>
          <SiteFrame path={path as SitePath}>{content}</SiteFrame>
        </I18nContext>,
      );
      files.push({
        path: `${language}/${name}.html`,
        html: fillTemplate(document, { language, title, html }),
      });
    }
  }
  return files;
}

/** Route patterns of the application, and the prerendered pages. */
export function listPaths(): { app: string[]; site: Record<string, string> } {
  const app = routePaths(routes).filter((path) => path !== '*' && (path === '/' || !(path in SITE_PAGES)));
  return { app, site: SITE_PAGES };
}

function routePaths(children: RouteObject[]): string[] {
  return children.flatMap((route) => [
    ...(route.path ? [route.path] : []),
    ...routePaths(route.children ?? []),
  ]);
}

/** Ages are relative to the time of the recording, since prerendered pages do not update. */
function createSiteI18n(language: Language): I18n {
  const own = Object.entries(LOCALE_FILES).flatMap(([path, sentences]) => {
    const [, of, feature = ''] = /(\w+)\/([\w-]+)\.json$/.exec(path) ?? [];
    return of === language ? [[feature, sentences] as const] : [];
  });
  return createI18n(language, Object.fromEntries(own), () => Date.parse(RECORDED.recorded_at));
}

function renderPage(name: string, texts: I18n): { title: string; content: ReactNode } {
  const t = texts.translator('site');
  if (name === 'landing') return { title: t('landing.tab_title'), content: <LandingPage /> };
  if (name === 'pricing') return { title: `${t('pricing.title')} · Hindsight`, content: <PricingPage /> };
  const path = `./texts/${texts.language}/${name}.md`;
  const text = PROSE[path];
  if (text === undefined) throw new Error(`${path} is missing`);
  return { title: `${extractTitle(text)} · Hindsight`, content: <ProsePage text={text} /> };
}

/** Replacer functions, since `$` is special in replacement strings. */
function fillTemplate(document: string, page: { language: string; title: string; html: string }): string {
  return document
    .replace('<html lang="en"', `<html lang="${page.language}"`)
    .replace(/<title>.*<\/title>/, () => renderToStaticMarkup(<title>{page.title}</title>))
    .replace('<!--page-->', () => page.html);
}
