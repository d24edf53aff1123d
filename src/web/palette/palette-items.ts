import type { ApiReply } from '#contract/api.ts';
import { formatFilter } from '#contract/search-query.ts';
import { commitUrl, editorUrl, fileUrl, issueUrl } from '../parts/citation.ts';

/** Kind of an item, which chooses its icon. */
export type ItemKind =
  | 'recent'
  | 'projects'
  | 'files'
  | 'symbols'
  | 'commits'
  | 'issues'
  | 'errors'
  | 'chats'
  | 'actions'
  | 'pages'
  | 'search';

/** An entry of the palette: a link, or an action. */
export interface PaletteItem {
  id: string;
  kind: ItemKind;
  text: string;
  detail?: string;
  /** Places of matching characters in `text`. */
  positions?: readonly number[];
  to?: string;
  run?: () => void;
  keys?: readonly string[];
}

export interface PaletteGroup {
  value: string;
  items: PaletteItem[];
}

export type FoundNames = ApiReply<'GET /palette'>;

/** Place in the reader's page that results lead to. */
export interface PaletteContext {
  projectName(id: string): string;
  /** Project of the page; null elsewhere. */
  projectId: string | null;
  /** True in the editor, where files open as tabs. */
  isEditor: boolean;
}

const PREFIXES = { '>': 'actions', '@': 'symbols', '#': 'history', ':': 'line' } as const;

type PaletteMode = 'all' | (typeof PREFIXES)[keyof typeof PREFIXES];

/** Text of the input by its prefix; `line` is what follows a colon at the end, as in `route.js:120`. */
export interface PaletteInput {
  mode: PaletteMode;
  q: string;
  line: number | null;
}

/** Parses the text of the input. */
export function parsePaletteInput(text: string): PaletteInput {
  const trimmed = text.trimStart();
  const mode = (PREFIXES[trimmed[0] as keyof typeof PREFIXES] ?? 'all') as PaletteMode;
  if (mode === 'line') return { mode, q: '', line: Number.parseInt(trimmed.slice(1), 10) || null };
  const rest = (mode === 'all' ? trimmed : trimmed.slice(1)).trim();
  const [, name = rest, line] = (mode === 'all' && /^(.*\S):(\d{1,7})$/.exec(rest)) || [];
  return { mode, q: name, line: line === undefined ? null : Number(line) };
}

/** Items of a reply of the server, by kind. */
export function foundGroups(
  found: FoundNames,
  { line }: PaletteInput,
  context: PaletteContext,
): PaletteGroup[] {
  const { projectName } = context;
  const files = found.files.map(
    ({ project_id, path, positions }): PaletteItem => ({
      ...{ id: `f ${project_id} ${path}`, kind: 'files', text: path, positions },
      detail: projectName(project_id),
      to: placeUrl(context, project_id, { path, from: line ?? undefined, to: line ?? undefined }),
    }),
  );
  const symbols = found.symbols.map(
    ({ project_id, name, path, start, end, positions }): PaletteItem => ({
      ...{ id: `s ${project_id} ${path} ${name} ${start}`, kind: 'symbols', text: name, positions },
      detail: `${projectName(project_id)} · ${path}:${start}`,
      to: placeUrl(context, project_id, { path, from: start, to: end }),
    }),
  );
  const commits = found.commits.map(
    ({ project_id, hash, subject }): PaletteItem => ({
      ...{ id: `c ${project_id} ${hash}`, kind: 'commits', text: subject || hash.slice(0, 7) },
      detail: `${projectName(project_id)} · ${hash.slice(0, 7)}`,
      to: commitUrl(project_id, hash),
    }),
  );
  const issues = found.issues.map(
    ({ project_id, kind, number, title }): PaletteItem => ({
      ...{ id: `i ${project_id} ${kind} ${number}`, kind: 'issues', text: `#${number} ${title}` },
      ...{ detail: projectName(project_id), to: issueUrl(project_id, { kind, number }) },
    }),
  );
  const errors = found.errors.map(
    ({ project_id, session_id, title }): PaletteItem => ({
      ...{ id: `e ${session_id}`, kind: 'errors', text: title, detail: projectName(project_id) },
      to: `/debug/${session_id}`,
    }),
  );
  const chats = found.chats.map(
    ({ project_id, thread_id, title }): PaletteItem => ({
      ...{ id: `t ${thread_id}`, kind: 'chats', text: title, detail: projectName(project_id) },
      to: `/projects/${project_id}/chat?thread=${thread_id}`,
    }),
  );
  return Object.entries({ files, symbols, commits, issues, errors, chats }).map(([value, items]) => ({
    value,
    items,
  }));
}

function placeUrl(
  { projectId, isEditor }: PaletteContext,
  id: string,
  { path, from, to }: { path: string; from: number | undefined; to: number | undefined },
): string {
  if (isEditor && id === projectId) return editorUrl(id, path, { from, to });
  return fileUrl(id, path, { ...(from !== undefined && { from }), ...(to !== undefined && { to }) });
}

/** URL of the search page for a text, in one project or in all. */
export function searchUrl(q: string, projectName: string | null): string {
  const text = projectName === null ? q : `${formatFilter('repo', projectName)} ${q}`;
  return `/search?${new URLSearchParams({ q: text })}`;
}

/** Items whose text has every word of a query; those that begin with it come first. */
export function filterItems(items: readonly PaletteItem[], q: string, limit: number): PaletteItem[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const searched = ({ text, detail = '' }: PaletteItem) => `${text} ${detail}`.toLowerCase();
  const matching = items.filter((item) => words.every((word) => searched(item).includes(word)));
  const rank = ({ text }: PaletteItem) => Number(!text.toLowerCase().startsWith(words[0] ?? ''));
  return matching.toSorted((a, b) => rank(a) - rank(b)).slice(0, limit);
}

/** Groups with items, each item once. */
export function withoutRepetitions(groups: readonly PaletteGroup[]): PaletteGroup[] {
  const seen = new Set<string>();
  const isNew = ({ to, id }: PaletteItem) => {
    const key = to ?? id;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  };
  return groups
    .map(({ value, items }) => ({ value, items: items.filter(isNew) }))
    .filter(({ items }) => items.length > 0);
}
