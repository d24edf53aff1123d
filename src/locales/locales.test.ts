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
    const features = [...source.matchAll(/useTranslation\('(\w+)'\)/g)].map((match) => match[1] ?? '');
    if (new Set(features).size !== 1) continue;
    for (const [, key = ''] of source.matchAll(/\bt\(\s*'([\w.]+)'/g)) {
      found += 1;
      if (!known.get(features[0] ?? '')?.has(key)) missing.push(`${file}: ${features[0]}:${key}`);
    }
  }
  expect(missing).toEqual([]);
  expect(found).toBeGreaterThan(50);
});

test('every sentence with which the contract refuses a field exists', () => {
  const known = [...read('en', 'errors').keys()];
  const contract = new URL('../contract/', HERE);
  const sentences = readdirSync(contract).flatMap((file) => {
    const source = readFileSync(new URL(file, contract), 'utf8');
    const checks = source.matchAll(/(?:min|max|regex|refine|email)\((?:[^'()]|\([^()]*\))*?'([A-Z][^']+)'/g);
    return [...checks].map(([, sentence = '']) => sentence);
  });
  expect(sentences.length).toBeGreaterThan(25);
  // How many is left open, where a number stands.
  const open = (sentence: string) => sentence.replace(/\b\d+(?:,\d+)?(?= characters$)/, '{{1}}');
  expect(sentences.filter((sentence) => !known.includes(open(sentence)))).toEqual([]);
});
