import { isValidElement, type ReactNode } from 'react';
import Markdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import type { Language } from '#locales/languages.ts';
import { useTranslation } from '../i18n.ts';
import { buttonClass } from '../ui/button.tsx';
import { loadDoc, resolveDocLink, resolveDocPicture, toSlug } from './doc-pages.ts';
import { PROSE_COMPONENTS } from './prose-page.tsx';
import type { DocName } from './site-paths.ts';

/** A document of `docs`, with a search above it. */
export function DocPage({ name, language }: { name: DocName; language: Language }) {
  const doc = loadDoc(name, language);
  return (
    <>
      <DocSearchForm />
      <article lang={doc.language} className="flex max-w-[76ch] flex-col gap-3 pt-8 text-answer">
        <Markdown remarkPlugins={[remarkGfm]} components={COMPONENTS}>
          {doc.text}
        </Markdown>
      </article>
    </>
  );
}

/** Template of the results: the server inserts the query and the list. */
export function DocSearchPage() {
  const { t } = useTranslation('site');
  return (
    <>
      <DocSearchForm />
      <h1 className="landing-title pt-8">{t('docs.results')}</h1>
      <p id="no-results" hidden className="pt-4">
        {t('docs.none')}
      </p>
      <ol id="results" className="flex max-w-[76ch] flex-col gap-4 pt-4 [&_p]:text-muted" />
    </>
  );
}

function DocSearchForm() {
  const { t } = useTranslation('site');
  return (
    <search className="pt-8">
      <form action="/docs/search" className="flex max-w-[76ch] flex-wrap items-center gap-3">
        <input
          type="search"
          name="q"
          defaultValue=""
          maxLength={100}
          aria-label={t('docs.search')}
          placeholder={t('docs.search')}
          className="h-8 min-w-0 flex-1 rounded-md border border-control bg-surface px-3"
        />
        <button type="submit" className={buttonClass()}>
          {t('docs.find')}
        </button>
        <a href="/docs/contents" className="link">
          {t('docs.contents')}
        </a>
      </form>
    </search>
  );
}

/** Pixels of the pictures that `npm run shots -- --docs` takes. */
const PICTURE_SIZE = { width: 1440, height: 900 };

function textOf(node: ReactNode): string {
  if (typeof node === 'string') return node;
  if (Array.isArray(node)) return node.map(textOf).join('');
  return isValidElement<{ children?: ReactNode }>(node) ? textOf(node.props.children) : '';
}

const COMPONENTS: Components = {
  ...PROSE_COMPONENTS,
  h2: ({ children }) => (
    <h2 id={toSlug(textOf(children))} className="mt-6 border-t border-border pt-5 text-title">
      {children}
    </h2>
  ),
  h3: ({ children }) => (
    <h3 id={toSlug(textOf(children))} className="mt-3 text-answer">
      {children}
    </h3>
  ),
  a: ({ href = '', children }) => {
    const url = resolveDocLink(href);
    return url === null ? (
      <span>{children}</span>
    ) : (
      <a href={url} className="link">
        {children}
      </a>
    );
  },
  img: ({ src, alt }) => (
    <img
      src={resolveDocPicture(String(src))}
      alt={alt}
      {...PICTURE_SIZE}
      loading="lazy"
      className="h-auto w-full rounded-md border border-border"
    />
  ),
};
