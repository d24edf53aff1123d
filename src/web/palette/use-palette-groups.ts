import { useDeferredValue, useMemo } from 'react';
import { type Translate, useTranslation } from '../i18n.ts';
import { readRecentPages } from '../parts/recent-pages.ts';
import { useCurrentUser, useUpdatePreferences } from '../user.ts';
import { GO_KEYS, PROJECT_GO_KEYS, projectPageUrl } from './go-keys.ts';
import { listPageActions } from './page-actions.ts';
import {
  type FoundNames,
  filterItems,
  foundGroups,
  type PaletteContext,
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
  const { found } = results;
  // A key is painted in the input first; the list follows in a render that the next key interrupts.
  const shown = useDeferredValue(useMemo(() => ({ input, found }), [input, found]));
  const projectName = context.projectId === null ? '' : context.projectName(context.projectId);
  const searches = useSearchItems(shown.input.q, projectName);
  const lineItems = useLineItems(shown.input, place.isFile);
  const groups = useMemo(
    () => listGroups(shown, { local, searches, lineItems, context }),
    [shown, local, searches, lineItems, context],
  );
  return {
    ...results,
    isStale: results.isStale || shown.input !== input || shown.found !== found,
    isFile: place.isFile,
    groups,
    searchAll: searchUrl(input.q, projectName || null),
  };
}

interface KnownItems {
  local: ReturnType<typeof useLocalItems>;
  searches: PaletteItem[];
  lineItems: PaletteItem[];
  context: PaletteContext;
}

function listGroups(
  { input, found: reply }: { input: PaletteInput; found: FoundNames | undefined },
  { local, searches, lineItems, context }: KnownItems,
): PaletteGroup[] {
  const { mode, q } = input;
  const limit = (items: PaletteItem[], max: number) => filterItems(items, q, max);
  const all = Number.POSITIVE_INFINITY;
  const found = reply ? foundGroups(reply, input, context) : [];
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
  return withoutRepetitions(groups[mode]());
}

function useSearchItems(q: string, projectName: string): PaletteItem[] {
  const { t } = useTranslation('palette');
  return useMemo(() => {
    const item = (text: string, to: string): PaletteItem => ({ id: to, kind: 'search', text, to });
    return [
      ...(projectName
        ? [item(t('search.project', { q, project: projectName }), searchUrl(q, projectName))]
        : []),
      item(t('search.all', { q }), searchUrl(q, null)),
      item(t('search.commits', { q }), searchUrl(`type:commits ${q}`, null)),
    ];
  }, [t, q, projectName]);
}

function useLineItems({ line }: PaletteInput, isFile: boolean): PaletteItem[] {
  const { t } = useTranslation('palette');
  return useMemo(() => {
    if (line === null || !isFile) return [];
    const to = `${location.pathname}${location.search}#L${line}`;
    return [{ id: 'line', kind: 'actions', text: t('go_to_line', { line }), to }];
  }, [t, line, isFile]);
}

/** Items that need no request: recent pages, projects, pages with their keys, and actions of the page. */
function useLocalItems({ context, projects }: ReturnType<typeof usePaletteContext>, showKeys: () => void) {
  const { t } = useTranslation(['palette', 'shell', 'projects']);
  const user = useCurrentUser().data;
  const update = useUpdatePreferences();
  // Read when the palette opens: it covers the page, which does not change below it.
  const pageActions = useMemo(listPageActions, []);
  return useMemo(
    () => ({
      recent: listRecentPages(user?.id ?? '', context),
      projects: projects.map(
        ({ id, name, git_url }): PaletteItem => ({
          ...{ id: `P ${id}`, kind: 'projects', text: name, detail: git_url, to: `/projects/${id}` },
        }),
      ),
      pages: listPages(context, { t, isAdmin: user?.role === 'admin' }),
      actions: [
        ...pageActions,
        { id: 'keys', kind: 'actions', text: t('keys.title'), run: showKeys, keys: ['?'] } as const,
        ...(['light', 'dark', 'system'] as const).map(
          (theme): PaletteItem => ({
            ...{ id: `theme ${theme}`, kind: 'actions' },
            text: t('theme', { theme: t(`shell:theme.${theme}`) }),
            // A theme that could not be saved is applied in the browser all the same.
            run: () => void update({ theme }).catch(() => undefined),
          }),
        ),
      ],
    }),
    [context, projects, user, t, update, pageActions, showKeys],
  );
}

/** Visited pages but the current one; files and folders by path, each place once. */
function listRecentPages(userId: string, { projectName }: PaletteContext): PaletteItem[] {
  const items = new Map<string, PaletteItem>();
  for (const { to, title } of readRecentPages(userId)) {
    if (to === location.pathname + location.search) continue;
    const [, projectId = '', file] = /^\/(?:projects|ide)\/([^/?#]+)(?:\/files\/([^?#]+))?/.exec(to) ?? [];
    const text = file === undefined ? title : decodePath(file);
    const key = file === undefined ? to : `${projectId} ${text}`;
    if (items.has(key)) continue;
    items.set(key, { ...{ id: `r ${to}`, kind: 'recent', text, to }, detail: projectName(projectId) });
  }
  return [...items.values()];
}

/** Path of a URL; unchanged where it is not valid percent encoding. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function listPages(
  { projectId, projectName }: PaletteContext,
  { t, isAdmin }: { t: Translate; isAdmin: boolean },
): PaletteItem[] {
  const page = (text: string, to: string, keys: readonly string[] = []): PaletteItem => ({
    ...{ id: `p ${to}`, kind: 'pages', text: t(text), to, keys },
  });
  return [
    ...(projectId === null
      ? []
      : PROJECT_GO_KEYS.map(({ key, text, to }) => ({
          ...page(text, projectPageUrl(projectId, to), ['g', key]),
          detail: projectName(projectId),
        }))),
    ...GO_KEYS.map(({ key, text, to }) => page(text, to, ['g', key])),
    page('shell:menu.subscription', '/subscription'),
    page('shell:menu.how_to_use', '/how-to-use'),
    ...(isAdmin ? [page('shell:menu.admin', '/admin')] : []),
    ...(['password', 'two_factor', 'sessions', 'keys', 'data'] as const).map((section) =>
      page(`settings_of.${section}`, `/settings#${section}`),
    ),
  ];
}
