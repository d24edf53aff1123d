import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { RouteObject } from 'react-router';
import { LANGUAGES, type Language } from '#locales/languages.ts';
import { createI18n, type I18n, I18nContext } from '../i18n.ts';
import { loadHighlighter } from '../parts/highlight.ts';
import PROJECT_TAB_SOURCE from '../project-tabs.ts?raw';
import { routes } from '../router.tsx';
import { StaticShell } from '../static-shell.tsx';
import { DocPage, DocSearchPage } from './doc-page.tsx';
import { loadDoc } from './doc-pages.ts';
import { LandingPage } from './landing-page.tsx';
import { type LicensedPackage, LicensesPage } from './licenses-page.tsx';
import { PricingPage } from './pricing-page.tsx';
import { extractTitle, ProsePage } from './prose-page.tsx';
import { WALK_RECORDING } from './recorded.ts';
import { renderStatic } from './render-static.tsx';
import { SiteFrame } from './site-frame.tsx';
import { DOC_NAMES, DOC_PATHS, SITE_PAGES, type SitePath } from './site-paths.ts';

const LOCALE_FILES = import.meta.glob<Record<string, string>>('../../locales/*/*.json', {
  eager: true,
  import: 'default',
});

const ROUTE_SOURCES = import.meta.glob<string>('../*/routes.tsx', {
  eager: true,
  query: '?raw',
  import: 'default',
});

/** A path and, before the next one, the module that is loaded for it. */
const PAGE = /path: '([^']+)'(?:(?!path:)[\s\S])*?import\('\.\/([^']+)'\)/g;
const PROJECT_TAB = /value: '([^']+)'(?:(?!value:)[\s\S])*?import\('\.\/([^']+)'\)/g;

/** Markdown pages by path. */
const PROSE = import.meta.glob<string>('./texts/*/*.md', { eager: true, query: '?raw', import: 'default' });

export { listDocSections } from './doc-pages.ts';
export { LANGUAGES as SITE_LANGUAGES };

/** Prerendered page and its path below the site folder. */
interface SiteFile {
  path: string;
  html: string;
}

/** A page before it is rendered. */
interface SitePage {
  name: string;
  /** Path for the marks of the menu; null for documents. */
  path: SitePath | null;
  title: string;
  content: ReactNode;
}

/** Prerenders every page in every language, from the template of the build. */
export async function renderSite(document: string, packages: LicensedPackage[]): Promise<SiteFile[]> {
  const files: SiteFile[] = [];
  // Prerendered pages have no script that could colour the code later.
  await Promise.all(['a.js', 'a.md'].map(loadHighlighter));
  for (const language of LANGUAGES) {
    const texts = createSiteI18n(language);
    for (const { name, path, title, content } of listContents(texts, packages)) {
      const html = await renderStatic(
        <I18nContext value={texts}>
          <SiteFrame path={path}>{content}</SiteFrame>
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

function listContents(texts: I18n, packages: LicensedPackage[]): SitePage[] {
  const { language } = texts;
  const site = Object.entries(SITE_PAGES).map(([path, name]) => ({
    ...{ name, path: path as SitePath },
    ...renderPage(name, texts, packages),
  }));
  const docs = DOC_NAMES.map((name) => ({
    ...{ name: `docs/${name}`, path: null },
    title: `${loadDoc(name, language).title} · Hindsight`,
    content: <DocPage name={name} language={language} />,
  }));
  const results = `${texts.translator('site')('docs.results')} · Hindsight`;
  return [...site, ...docs, { name: 'docs/search', path: null, title: results, content: <DocSearchPage /> }];
}

/** Frame of the application in every language, from its document: the first paint of each of its pages. */
export function renderShell(document: string): SiteFile[] {
  return LANGUAGES.map((language) => {
    const texts = createSiteI18n(language);
    const html = renderToStaticMarkup(
      <I18nContext value={texts}>
        <StaticShell />
      </I18nContext>,
    );
    return {
      path: `${language}/app.html`,
      html: fillTemplate(document, { language, title: 'Hindsight', html }),
    };
  });
}

/** Route patterns of the application → modules that their pages are made of, relative to `src`. */
export function listPages(): Record<string, string[]> {
  const modules = pageModules();
  return Object.fromEntries(
    routePaths(routes)
      .filter(({ path }) => path !== '*' && (path === '/' || !(path in listSitePages())))
      .map(({ path, within }) => [path, modules.get(path) ?? [...(modules.get(within) ?? [])]]),
  );
}

/** Path → name of every prerendered page. */
export function listSitePages(): Record<string, string> {
  return { ...SITE_PAGES, ...DOC_PATHS };
}

/** Paths with the path of the page that they are part of. */
function routePaths(children: RouteObject[], within = ''): { path: string; within: string }[] {
  return children.flatMap((route) => [
    ...(route.path ? [{ path: route.path, within }] : []),
    ...routePaths(route.children ?? [], route.path ?? within),
  ]);
}

/** Reads the modules of the pages from the sources, since React Router knows only functions that load them. */
function pageModules(): Map<string, string[]> {
  const modules = new Map<string, string[]>();
  for (const [file, source] of Object.entries(ROUTE_SOURCES)) {
    const folder = file.replace(/^\.\.\/(\w+)\/.*$/, 'web/$1');
    for (const [, path = '', module = ''] of source.matchAll(PAGE))
      modules.set(path, [`${folder}/${module}`]);
  }
  const project = modules.get('/projects/:id') ?? [];
  for (const [, tab, module] of PROJECT_TAB_SOURCE.matchAll(PROJECT_TAB)) {
    modules.set(`/projects/:id/${tab}`, [...project, `web/${module}`]);
  }
  modules.set('/projects/:id', [...project, 'web/projects/overview.tsx']);
  modules.set('/projects/:id/commits', [...project, 'web/projects/commit-list.tsx']);
  modules.set('/projects/:id/settings', [...project, 'web/projects/settings-tab.tsx']);
  return modules;
}

/** Ages are relative to the time of the recording, since prerendered pages do not update. */
function createSiteI18n(language: Language): I18n {
  const own = Object.entries(LOCALE_FILES).flatMap(([path, sentences]) => {
    const [, of, feature = ''] = /(\w+)\/([\w-]+)\.json$/.exec(path) ?? [];
    return of === language ? [[feature, sentences] as const] : [];
  });
  return createI18n(language, Object.fromEntries(own), { now: () => Date.parse(WALK_RECORDING.recorded_at) });
}

function renderPage(
  name: string,
  texts: I18n,
  packages: LicensedPackage[],
): { title: string; content: ReactNode } {
  const t = texts.translator('site');
  if (name === 'landing') return { title: t('landing.tab_title'), content: <LandingPage /> };
  if (name === 'pricing') return { title: `${t('pricing.title')} · Hindsight`, content: <PricingPage /> };
  if (name === 'licenses')
    return { title: `${t('page.licenses')} · Hindsight`, content: <LicensesPage packages={packages} /> };
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
