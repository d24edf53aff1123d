import { createContext, use, useMemo, useSyncExternalStore } from 'react';
import { fillPlaceholders, findPluralForm } from '#locales/fill-placeholders.ts';
import type { Language } from '#locales/languages.ts';
import { loadScript, readableAtOnce } from './lazy-page.ts';
import { formatRelativeTime } from './parts/age.ts';
import { savePreferenceCookie } from './theme.ts';

/** Native names of the languages. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  es: 'Español',
  fr: 'Français',
  de: 'Deutsch',
};

/** Nested texts of a JSON file in `locales`. */
type Texts = { readonly [key: string]: string | Texts };

/** Namespaces that every page shows, loaded before the first; others are loaded when first used. */
const CORE = ['ui', 'shell', 'parts'];

/** Paths of the files, by their paths in the source. They are data and not scripts, and so are read without being compiled. */
const FILES = import.meta.glob<string>(['../locales/*/*.json', '!../locales/*/{mail,site}.json'], {
  eager: true,
  query: '?url',
  import: 'default',
});

interface TranslateParams {
  /** Selects the plural form. */
  count?: number;
  /** Namespace of the key; by default that of `useTranslation`. */
  ns?: string;
  /** Text of a key that the locale files lack. */
  defaultValue?: string;
  [name: string]: unknown;
}

/**
 * Text of a key such as `empty.title`, or `errors:not_found` in another namespace. Placeholders: `{{name}}`,
 * `{{count, number}}` with digit grouping, `{{at, ago}}` for a time as its age.
 */
export type Translate = (key: string, params?: TranslateParams) => string;

/** Texts in the language of the reader. */
export interface I18n {
  readonly language: Language;
  /** Translates keys of a namespace. */
  translator(namespace?: string): Translate;
  /** True when a loaded namespace has the key. */
  exists(namespace: string, key: string): boolean;
  /** Loads namespaces that are not loaded yet; `all` in idle time, so that no later page waits. */
  load(namespaces: readonly string[] | 'all'): Promise<void>;
  /** Changes the language once its texts are there, unless another was chosen meanwhile. */
  setLanguage(language: Language): Promise<void>;
  /** Calls back when the language or the loaded texts change; returns the function that ends it. */
  subscribe(changed: () => void): () => void;
  /** Number that grows with every change. */
  version(): number;
}

/** Resolved promise that React reads without suspending. */
const LOADED = Object.assign(Promise.resolve(), { status: 'fulfilled', value: undefined });

/** Texts of the components below; set by the application and by the prerendered pages. */
export const I18nContext = createContext<I18n | null>(null);

/** Translates keys of a namespace, and of others by `namespace:key`. Suspends while a named namespace is loading. */
export function useTranslation(namespaces: string | readonly string[] = []): { t: Translate; i18n: I18n } {
  const i18n = use(I18nContext);
  if (i18n === null) throw new Error('There is no I18nContext');
  const version = useSyncExternalStore(i18n.subscribe, i18n.version, i18n.version);
  const names = typeof namespaces === 'string' ? [namespaces] : namespaces;
  use(i18n.load(names));
  const [first] = names;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version has new texts.
  const t = useMemo(() => i18n.translator(first), [i18n, first, version]);
  return { t, i18n };
}

/** Creates i18n in the language of the document, which the server sets from the cookie, with the texts of every page. */
export async function createAppI18n(): Promise<I18n> {
  const tag = document.documentElement.lang;
  const language = tag in LANGUAGE_NAMES ? (tag as Language) : 'en';
  document.documentElement.lang = language;
  return createI18n(language, await loadNamespaces(language, [...CORE, ...preloadedNamespaces(language)]));
}

/** Namespaces that the document preloads, which are those of its page. */
function preloadedNamespaces(language: Language): string[] {
  const links = document.querySelectorAll('link[rel=preload][as=fetch]');
  const urls = new Set([...links].map((link) => link.getAttribute('href')));
  return namespacesOf(language).filter(
    (name) => !CORE.includes(name) && urls.has(FILES[`../locales/${language}/${name}.json`] ?? ''),
  );
}

interface I18nOptions {
  /** Time that ages are relative to. */
  now?: () => number;
  /** Loads the texts of namespaces. */
  loadTexts?: (language: Language, names: readonly string[]) => Promise<Record<string, Texts>>;
}

/** Creates i18n for one language from texts by namespace; further namespaces are loaded on use. */
export function createI18n(
  initial: Language,
  features: Readonly<Record<string, Texts>>,
  { now = Date.now, loadTexts = loadNamespaces }: I18nOptions = {},
): I18n {
  let language = initial;
  let latest = initial;
  let version = 0;
  const templates = new Map<string, ReadonlyMap<string, string>>();
  /** Namespaces whose texts were asked for before they were there. */
  const missed = new Set<string>();
  const loads = new Map<string, Promise<void>>();
  const subscribers = new Set<() => void>();

  const notify = () => {
    version += 1;
    for (const changed of subscribers) changed();
  };

  const add = (texts: Readonly<Record<string, Texts>>) => {
    for (const [name, nested] of Object.entries(texts)) templates.set(name, new Map(flatten(nested)));
    if (Object.keys(texts).filter((name) => missed.delete(name)).length > 0) notify();
  };

  const load = (namespaces: readonly string[] | 'all'): Promise<void> => {
    const names = namespaces === 'all' ? namespacesOf(language) : namespaces;
    const missing = names.filter((name) => !templates.has(name));
    const key = `${language}/${names.join()}`;
    // The same promise for the same names, as React's `use` asks for.
    const known = loads.get(key) ?? (missing.length === 0 ? LOADED : undefined);
    if (known) {
      loads.set(key, known);
      return known;
    }
    const of = language;
    const loaded = readableAtOnce(
      loadTexts(of, missing).then((texts) => (of === language ? add(texts) : undefined)),
    );
    loads.set(key, loaded);
    loaded.catch(() => loads.delete(key));
    return loaded;
  };

  const translate = (namespace: string | undefined, key: string, params: TranslateParams = {}): string => {
    const [, prefix, path = key] = /^([\w-]+):(.+)$/s.exec(key) ?? [];
    const name = prefix ?? params.ns ?? namespace ?? '';
    const known = templates.get(name);
    if (!known && namespacesOf(language).includes(name)) {
      missed.add(name);
      // Rendered again when it is there; until then, and if it cannot be loaded, the default stands, never an empty text.
      load([name]).catch(() => undefined);
      return params.defaultValue ?? translate('ui', 'loading');
    }
    const template = known && findPluralForm(known, path, params.count, language);
    if (template === undefined) return params.defaultValue ?? path;
    return fillPlaceholders(template, params, (value, format) =>
      format === 'message' ? translateKey(String(value), params) : formatParam(value, format),
    );
  };

  /** The message of a key with its namespace, such as `errors.file_not_found`; any other text as it is. */
  const translateKey = (key: string, params: TranslateParams): string => {
    const [, name, path] = /^(\w+)\.([\w.]+)$/.exec(key) ?? [];
    return path === undefined ? key : translate(name, path, { ...params, defaultValue: key });
  };

  const formatParam = (value: unknown, format: string | undefined): string => {
    if (format === 'number') return Number(value).toLocaleString(language);
    if (format !== 'ago') return String(value);
    if (value === '') return translate('parts', 'unknown_time');
    return formatRelativeTime(String(value), now(), language) ?? String(value);
  };

  add(features);
  return {
    get language() {
      return language;
    },
    translator: (namespace) => (key, params) => translate(namespace, key, params),
    exists: (namespace, key) => templates.get(namespace)?.has(key) ?? false,
    load,
    setLanguage: async (next) => {
      latest = next;
      if (next === language) return;
      const texts: Record<string, Texts> = {};
      const missing = () => [...templates.keys()].filter((name) => !(name in texts));
      // Namespaces that arrive in the old language meanwhile are loaded as well.
      for (let names = missing(); names.length > 0; names = missing())
        Object.assign(texts, await loadTexts(next, names));
      // A later choice wins, even if its texts arrive first.
      if (latest !== next) return;
      language = next;
      add(texts);
      notify();
    },
    subscribe: (changed) => {
      subscribers.add(changed);
      return () => subscribers.delete(changed);
    },
    version: () => version,
  };
}

/** Loads a language if needed, applies it and stores the choice. */
export async function applyLanguage(i18n: I18n, language: Language): Promise<void> {
  await i18n.setLanguage(language);
  if (language !== i18n.language) return;
  document.documentElement.lang = language;
  savePreferenceCookie('language', language);
}

async function loadNamespaces(language: Language, names: readonly string[]): Promise<Record<string, Texts>> {
  const loaded = names.map(async (name) => {
    const url = FILES[`../locales/${language}/${name}.json`];
    return [name, url === undefined ? {} : await loadScript(() => loadJson(url))] as const;
  });
  return Object.fromEntries(await Promise.all(loaded));
}

async function loadJson(url: string): Promise<Texts> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} was answered with ${response.status}`);
  return (await response.json()) as Texts;
}

/** Namespaces that can be loaded. */
function namespacesOf(language: Language): string[] {
  return Object.keys(FILES).flatMap(
    (path) => new RegExp(`/${language}/([\\w-]+)\\.json$`).exec(path)?.[1] ?? [],
  );
}

function flatten(texts: Texts, prefix = ''): [string, string][] {
  return Object.entries(texts).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[prefix + key, value]] : flatten(value, `${prefix}${key}.`),
  );
}
