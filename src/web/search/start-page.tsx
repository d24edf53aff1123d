import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ApiReply } from '#contract/api.ts';
import { FILTER_KEYS, formatFilter, type SearchMatch } from '#contract/search-query.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { languageName } from '../parts/language-names.ts';
import { NoProjects } from '../parts/no-projects.tsx';
import { Verbatim } from '../parts/verbatim.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { SavedSearchList } from './saved-searches.tsx';
import { searchStateUrl } from './search-state.ts';

type Projects = ApiReply<'GET /projects'>;

/** The page before a search: examples from the reader's own projects, the filters and the keys. */
export function StartPage({ projects }: { projects: Projects }) {
  const { t } = useTranslation('search');
  if (projects.length === 0) {
    return (
      <div className="max-w-280">
        <NoProjects title={t('no_projects')}>{t('no_projects_text')}</NoProjects>
      </div>
    );
  }
  return (
    <div className="mt-6 grid max-w-280 gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1.4fr)_minmax(0,1fr)]">
      <Examples projects={projects} />
      <div className="flex flex-col gap-8">
        <SavedSearchList />
        <section>
          <h2 className="mb-2">{t('filters')}</h2>
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
            {FILTER_KEYS.map((key) => (
              <div key={key} className="contents">
                <dt className="font-mono text-code">{key}:</dt>
                <dd className="text-muted">{t(`filter.${key}`)}</dd>
              </div>
            ))}
          </dl>
        </section>
        <section>
          <h2 className="mb-2">{t('keys.title')}</h2>
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
            {(['/', 'j k', 'Enter o', 'Esc'] as const).map((keys, index) => (
              <div key={keys} className="contents">
                <dt className="flex gap-1">
                  {keys.split(' ').map((key) => (
                    <Kbd key={key}>{key}</Kbd>
                  ))}
                </dt>
                <dd className="text-muted">{t(`keys.${['focus', 'move', 'open', 'close'][index]}`)}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
    </div>
  );
}

interface Example {
  q: string;
  match?: SearchMatch;
  text: string;
}

function Examples({ projects }: { projects: Projects }) {
  const { t } = useTranslation('search');
  const bySize = projects.toSorted((a, b) => (b.coverage?.indexed ?? 0) - (a.coverage?.indexed ?? 0));
  const project = bySize[0]!;
  const repo = formatFilter('repo', project.name);
  const values = (key: 'author' | 'path' | 'lang') =>
    apiQuery('GET /search/values', { query: { key, q: formatFilter('repo', project.id) } });
  const author = useQuery(values('author')).data?.values[0]?.value;
  const language = useQuery(values('lang')).data?.values[0]?.value;
  const folder = useQuery(values('path')).data?.values.find(({ value }) => value.endsWith('/'))?.value;
  const lang = language ? `${formatFilter('lang', language)} ` : '';
  const examples: Example[] = [
    { q: `${repo} error handling`, text: t('example.words', { name: project.name }) },
    {
      q: `${repo} ${lang}TODO`,
      match: 'exact',
      text: t('example.exact', { language: languageName(language ?? '') }),
    },
    { q: `${repo} (timeout|retry)`, match: 'regex', text: t('example.regex') },
    { q: `${repo} type:symbols get`, text: t('example.symbols') },
    ...(folder
      ? [{ q: `${repo} type:files ${formatFilter('path', folder)}`, text: t('example.files', { folder }) }]
      : []),
    ...(author
      ? [
          {
            q: `${repo} type:commits ${formatFilter('author', author)}`,
            text: t('example.commits', { author }),
          },
        ]
      : []),
    { q: `${repo} type:changes side:removed deprecated`, text: t('example.changes') },
    { q: 'type:errors', text: t('example.errors') },
  ];
  return (
    <section>
      <h2 className="mb-2">{t('examples')}</h2>
      <ul>
        {examples.map(({ q, match, text }) => (
          <li key={text} className="border-t border-border">
            <Link
              to={searchStateUrl({ q, ...(match && { match }) })}
              className="flex min-h-8 flex-wrap items-center gap-x-4 px-2 py-1.5 hover:bg-select focus-visible:-outline-offset-2"
            >
              <span className="min-w-0 flex-1 basis-60 wrap-anywhere">
                <Verbatim text={text} />
              </span>
              <span className="min-w-0 font-mono text-sm wrap-anywhere text-muted">
                <Verbatim
                  text={
                    match === 'regex'
                      ? q.replace(/(\(.*)$/, '/$1/')
                      : match === 'exact'
                        ? q.replace(/(\S+)$/, '"$1"')
                        : q
                  }
                />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
