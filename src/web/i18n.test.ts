import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Language } from '#locales/languages.ts';
import { createI18n } from './i18n.ts';

const UI = { ui: { loading: 'Loading' } };

/** Loader whose replies come when the test says so. */
function heldLoads() {
  const arrive = new Map<Language, () => void>();
  const loadTexts = async (language: Language, names: readonly string[]) => {
    await new Promise<void>((resolve) => arrive.set(language, resolve));
    return Object.fromEntries(names.map((name) => [name, { loading: `${name} ${language}` }]));
  };
  return { arrive: (language: Language) => arrive.get(language)?.(), loadTexts };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

test('a text that is not loaded yet is a general one, never empty, and is announced when it is there', async () => {
  const { arrive, loadTexts } = heldLoads();
  const i18n = createI18n('en', UI, { loadTexts });
  const t = i18n.translator('ui');
  expect(t('debug:loading')).toBe('Loading');
  const changed = new Promise<void>((resolve) => i18n.subscribe(resolve));
  arrive('en');
  await changed;
  expect(t('debug:loading')).toBe('debug en');
});

test('texts that have loaded are read at once, so that React does not show a fallback first', async () => {
  const { arrive, loadTexts } = heldLoads();
  const i18n = createI18n('en', UI, { loadTexts });
  const loading = i18n.load(['debug']);
  expect(loading).not.toHaveProperty('status');
  arrive('en');
  await loading;
  await settled();
  expect(i18n.load(['debug'])).toHaveProperty('status', 'fulfilled');
});

test('the last of two choices of language wins, whichever arrives first', async () => {
  const { arrive, loadTexts } = heldLoads();
  const i18n = createI18n('en', UI, { loadTexts });
  const changes = [i18n.setLanguage('de'), i18n.setLanguage('fr')];
  await settled();
  arrive('fr');
  await settled();
  expect(i18n.language).toBe('fr');
  arrive('de');
  await Promise.all(changes);
  expect([i18n.language, i18n.translator('ui')('loading')]).toEqual(['fr', 'ui fr']);
});

/** Loaded with the application, so that any file may name them. */
const ALWAYS_LOADED = ['ui', 'shell', 'parts', 'errors'];

test('files load the namespaces that they name, so that event handlers have the texts', () => {
  const root = new URL('./', import.meta.url);
  const missing = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx$/.test(path))
    .flatMap((path) => {
      const source = readFileSync(new URL(path, root), 'utf8');
      const loaded = [...source.matchAll(/useTranslation\(\s*(\[[^\]]*\]|'[^']*')/g)].join();
      return [...source.matchAll(/\bt\(\s*['`]([a-z][\w-]*):/g)]
        .map(([, name = '']) => name)
        .filter((name) => !ALWAYS_LOADED.includes(name) && !loaded.includes(`'${name}'`))
        .map((name) => `${path}: ${name}`);
    });
  expect(missing).toEqual([]);
});

test('a parameter may be the key of another message, which is rendered with the same parameters', () => {
  const errors = { failed: 'It failed. {{failure, message}}', lost: '{{host}} is not there.' };
  const t = createI18n('en', { ...UI, errors }).translator('errors');
  expect(t('failed', { failure: 'errors.lost', host: 'a.example' })).toBe(
    'It failed. a.example is not there.',
  );
  expect(t('failed', { failure: 'Words of an older version: gone.' })).toBe(
    'It failed. Words of an older version: gone.',
  );
});
