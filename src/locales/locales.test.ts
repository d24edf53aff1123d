import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

type Texts = { [key: string]: string | Texts };

const HERE = new URL('.', import.meta.url);
const WEB = new URL('../web/', HERE);
const OTHERS = ['es', 'fr', 'de'];
const FEATURES = readdirSync(new URL('en/', HERE)).map((file) => file.replace('.json', ''));

function read(language: string, feature: string): Map<string, string> {
  const texts = JSON.parse(readFileSync(new URL(`${language}/${feature}.json`, HERE), 'utf8')) as Texts;
  return new Map(flatten(texts));
}

function flatten(texts: Texts, prefix = ''): [string, string][] {
  return Object.entries(texts).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[prefix + key, value]] : flatten(value, `${prefix}${key}.`),
  );
}

/** Keys without what a language's plural rules add: languages differ in `_one`, `_many`, `_other`. */
function keysOf(texts: Map<string, string>): string[] {
  return [
    ...new Set([...texts.keys()].map((key) => key.replace(/_(zero|one|two|few|many|other)$/, ''))),
  ].sort();
}

function holesOf(text: string): string[] {
  return [...text.matchAll(/\{\{\s*(\w+)[^}]*\}\}|<\/?(\w+)\/?>/g)].map((match) => match[0]).sort();
}

test.each(OTHERS)('%s has the files of English and no other', (language) => {
  expect(readdirSync(new URL(`${language}/`, HERE)).sort()).toEqual(
    FEATURES.map((name) => `${name}.json`).sort(),
  );
});

const pairs = OTHERS.flatMap((language) => FEATURES.map((feature) => ({ language, feature })));

test.each(pairs)('$feature has every key in $language', ({ language, feature }) => {
  expect(keysOf(read(language, feature))).toEqual(keysOf(read('en', feature)));
});

test.each(pairs)('$feature has the plural forms that $language asks for', ({ language, feature }) => {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const texts = read(language, feature);
  const plurals = [...read('en', feature).keys()]
    .filter((key) => key.endsWith('_other'))
    .map((key) => key.slice(0, -6));
  const missing = plurals
    .flatMap((key) => forms.map((form) => `${key}_${form}`))
    .filter((key) => !texts.has(key));
  expect(missing).toEqual([]);
});

test.each(pairs)('$feature fills the same holes in $language', ({ language, feature }) => {
  const english = read('en', feature);
  for (const [key, text] of read(language, feature)) {
    const original = english.get(key) ?? english.get(key.replace(/_(many|few|two|zero)$/, '_other'));
    // Where there is one of something, a language may write the number or the word.
    const holes = (words: string) =>
      holesOf(words).filter((hole) => hole !== '{{count}}' || !key.endsWith('_one'));
    expect({ key, holes: holes(text) }).toEqual({ key, holes: holes(original ?? '') });
  }
});

test('every text that a page names by a fixed key exists', () => {
  const known = new Map(FEATURES.map((feature) => [feature, new Set(keysOf(read('en', feature)))]));
  const missing: string[] = [];
  let found = 0;
  for (const file of readdirSync(WEB, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.tsx')) continue;
    const source = readFileSync(new URL(file, WEB), 'utf8');
    const features = [...source.matchAll(/useTranslation\('([\w-]+)'\)/g)].map((match) => match[1] ?? '');
    if (new Set(features).size !== 1) continue;
    for (const [, key = ''] of source.matchAll(/\bt\(\s*'([\w.]+)'/g)) {
      found += 1;
      if (!known.get(features[0] ?? '')?.has(key)) missing.push(`${file}: ${features[0]}:${key}`);
    }
  }
  expect(missing).toEqual([]);
  expect(found).toBeGreaterThan(50);
});

const SRC = new URL('../', HERE);
const SOURCES = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|^locales\/|^db\/migrations\//.test(file))
  .map((file) => ({ file, source: readFileSync(new URL(file, SRC), 'utf8') }));

const placeholdersOf = (text: string) => [
  ...new Set(Array.from(text.matchAll(/\{\{(\w+)/g), ([, name = '']) => name).sort()),
];

test('every message of the contract about a field exists', () => {
  const known = read('en', 'errors');
  const keys = SOURCES.filter(({ file }) => file.startsWith('contract/')).flatMap(({ source }) =>
    Array.from(
      source.matchAll(/\b(?:min|max|regex|refine|email)\((?:[^'()]|\([^()]*\))*?'([a-z]+(?:_[a-z]+)+)'\)/g),
      ([, key = '']) => key,
    ),
  );
  expect(keys.length).toBeGreaterThan(20);
  expect(keys.filter((key) => !known.has(key))).toEqual([]);
});

test('every error message is used', () => {
  const literals = new Set<string>();
  const patterns: RegExp[] = [];
  for (const { source } of SOURCES) {
    for (const [, text = ''] of source.matchAll(/'(?:errors\.)?([a-z][a-z0-9_]*)'/g)) literals.add(text);
    // Keys that are put together: `postgres_${step}_failed`.
    for (const [, start = '', end = ''] of source.matchAll(/`(?:errors\.)?([a-z_]+_)\$\{\w+\}([a-z_]*)`/g)) {
      patterns.push(new RegExp(`^${start}\\w+${end}$`));
    }
  }
  const unused = [...read('en', 'errors').keys()].filter(
    (key) => !literals.has(key) && !patterns.some((pattern) => pattern.test(key)),
  );
  expect(unused).toEqual([]);
});

test('an error is thrown with the parameters of its message', () => {
  const errors = read('en', 'errors');
  const wrong: string[] = [];
  let checked = 0;
  for (const { file, source } of SOURCES) {
    // Texts and calls hold commas and braces of their own.
    const code = source.replace(/`[^`]*`/g, '``').replace(/\.\w+\([^()]*(?:\([^()]*\)[^()]*)*\)/g, '');
    for (const [, key = '', rest = ''] of code.matchAll(/new AppError\([^,;]*,\s*'(\w+)'([^;]{0,300})/g)) {
      checked += 1;
      const [, given = ''] = /^,\s*\{\s*params: \{([^}]*)\}/.exec(rest) ?? [];
      const names = Array.from(given.matchAll(/(?:^|,)\s*(\w+)/g), ([, name = '']) => name).sort();
      const wanted = placeholdersOf(errors.get(key) ?? '');
      const isNamed = /\bparams\b(?!:)/.test(rest) || /^,\s*\w+\)/.test(rest);
      if (!isNamed && names.join() !== wanted.join())
        wrong.push(`${file}: ${key} {${names}} for {${wanted}}`);
    }
  }
  expect(checked).toBeGreaterThan(150);
  expect(wrong).toEqual([]);
});

/** Typographic rules of a language: what its texts must not contain. Commands are quoted as a shell reads them. */
const TYPOGRAPHY: Record<string, RegExp> = {
  // No line breaks before these signs; narrow spaces before all but the colon.
  fr: /[ \u00a0][;!?»]|« |\S (?=:(?:\s|$))|\p{L}'\p{L}/u,
  de: /“[^„]*”|[«»]/,
  es: /[“”„]/,
};

test.each(OTHERS)('%s keeps its typographic rules', (language) => {
  const faults = FEATURES.flatMap((feature) =>
    [...read(language, feature)]
      .filter(([, text]) => TYPOGRAPHY[language]!.test(text.replace(/`[^`]*`/g, '')))
      .map(([key, text]) => `${feature}.${key}: ${text}`),
  );
  expect(faults).toEqual([]);
});
