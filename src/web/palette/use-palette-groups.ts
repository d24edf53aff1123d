import { useMemo } from 'react';
import { useTranslation } from '../i18n.ts';
import { readRecentPages } from '../parts/recent-pages.ts';
import { useCurrentUser, useUpdatePreferences } from '../user.ts';
import { GO_KEYS, PROJECT_GO_KEYS, projectPageUrl } from './go-keys.ts';
import { listPageActions } from './page-actions.ts';
import {
  filterItems,
  foundGroups,
  type PaletteGroup,
  type PaletteInput,
  type PaletteItem,
  searchUrl,
  withoutRepetitions,
} from './palette-items.ts';
import { usePaletteContext } from './use-palette-context.ts';
import { usePaletteResults } from './use-palette-results.ts';

const MAX_RECENT = 8;
const MAX_MATCHING_RECENT = 4;
const MAX_PROJECTS = 4;
const MAX_ACTIONS = 5;

/** Groups of the palette for an input: local items at once, those of the server as they come. */
export function usePaletteGroups(input: PaletteInput, showKeys: () => void) {
  const place = usePaletteContext();
  const { context } = place;
  const results = usePaletteResults(input, context.projectId);
  const local = useLocalItems(place, showKeys);
  const { mode, q } = input;
  const searches = useSearchItems(
    q,
    context.projectId === null ? null : context.projectName(context.projectId),
  );
  const lineItems = useLineItems(input, place.isFile, context.isEditor);
  const limit = (items: PaletteItem[], max: number) => filterItems(items, q, max);
  const all = Number.POSITIVE_INFINITY;
  const found = results.found ? foundGroups(results.found, input, context) : [];
  const groups: Record<PaletteInput['mode'], () => PaletteGroup[]> = {
    line: () => [{ value: 'line', items: lineItems }],
    actions: () => [
      { value: 'actions', items: limit(local.actions, all) },
      { value: 'pages', items: limit(local.pages, all) },
    ],
    symbols: () => found,
    history: () => found,
    all: () =>
      q === ''
        ? [
            { value: 'recent', items: local.recent.slice(0, MAX_RECENT) },
            { value: 'projects', items: local.projects.slice(0, MAX_PROJECTS) },
            { value: 'pages', items: local.pages },
          ]
        : [
            { value: 'recent', items: limit(local.recent, MAX_MATCHING_RECENT) },
            { value: 'projects', items: limit(local.projects, MAX_PROJECTS) },
            ...found,
            { value: 'actions', items: limit(local.actions, MAX_ACTIONS) },
            { value: 'pages', items: limit(local.pages, MAX_ACTIONS) },
            { value: 'search', items: searches },
          ],
  };
  return {
    ...results,
    isFile: place.isFile,
    groups: withoutRepetitions(groups[mode]()),
    searchAll: searches[0]?.to ?? null,
  };
}

function useSearchItems(q: string, projectName: string | null): PaletteItem[] {
  const { t } = useTranslation('palette');
  const item = (text: string, to: string): PaletteItem => ({ id: to, kind: 'search', text, to });
  return [
    ...(projectName
      ? [item(t('search.project', { q, project: projectName }), searchUrl(q, projectName))]
      : []),
    item(t('search.all', { q }), searchUrl(q, null)),
    item(t('search.commits', { q }), searchUrl(`type:commits ${q}`, null)),
  ];
}

function useLineItems({ line }: PaletteInput, isFile: boolean, isEditor: boolean): PaletteItem[] {
  const { t } = useTranslation('palette');
  if (line === null || !isFile) return [];
  const { pathname, search } = location;
  const query = new URLSearchParams(search);
  if (isEditor) query.set('line', String(line));
  const to = `${pathname}${query.size > 0 ? `?${query}` : ''}${isEditor ? '' : `#L${line}`}`;
  return [{ id: 'line', kind: 'actions', text: t('go_to_line', { line }), to }];
}

/** Items that need no request: recent pages, projects, pages with their keys, and actions of the page. */
function useLocalItems({ context, projects }: ReturnType<typeof usePaletteContext>, showKeys: () => void) {
  const { t } = useTranslation(['palette', 'shell', 'projects']);
  const user = useCurrentUser().data;
  const update = useUpdatePreferences();
  const { projectId } = context;
  // Read when the palette opens: it covers the page, which does not change below it.
  const actions = useMemo(listPageActions, []);
  const recent = useMemo(
    () =>
      readRecentPages(user?.id ?? '').map(
        ({ to, title }): PaletteItem => ({
          ...{ id: `r ${to}`, kind: 'recent', text: title, to },
          detail: context.projectName(/^\/(?:projects|ide)\/([^/?#]+)/.exec(to)?.[1] ?? ''),
        }),
      ),
    [user, context.projectName],
  );
  const page = (text: string, to: string, keys: readonly string[] = []): PaletteItem => ({
    ...{ id: `p ${to}`, kind: 'pages', text: t(text), to, keys },
  });
  const themes = (['light', 'dark', 'system'] as const).map(
    (theme): PaletteItem => ({
      ...{ id: `theme ${theme}`, kind: 'actions', text: t('theme', { theme: t(`shell:theme.${theme}`) }) },
      // A theme that could not be saved is applied in the browser all the same.
      run: () => void update({ theme }).catch(() => undefined),
    }),
  );
  return {
    recent,
    projects: projects.map(
      ({ id, name, git_url }): PaletteItem => ({
        ...{ id: `P ${id}`, kind: 'projects', text: name, detail: git_url, to: `/projects/${id}` },
      }),
    ),
    pages: [
      ...(projectId === null
        ? []
        : PROJECT_GO_KEYS.map(({ key, text, to }) => ({
            ...page(text, projectPageUrl(projectId, to), ['g', key]),
            detail: context.projectName(projectId),
          }))),
      ...GO_KEYS.map(({ key, text, to }) => page(text, to, ['g', key])),
      page('shell:menu.subscription', '/subscription'),
      page('shell:menu.how_to_use', '/how-to-use'),
      ...(user?.role === 'admin' ? [page('shell:menu.admin', '/admin')] : []),
      ...(['password', 'two_factor', 'sessions', 'keys', 'data'] as const).map((section) =>
        page(`settings_of.${section}`, `/settings#${section}`),
      ),
    ],
    actions: [
      ...actions,
      { id: 'keys', kind: 'actions', text: t('keys.title'), run: showKeys, keys: ['?'] } as const,
      ...themes,
    ],
  };
}
