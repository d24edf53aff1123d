import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DOC_PATHS, SITE_PAGES } from './site-paths.ts';

const TEXTS = new URL('./texts/', import.meta.url);
const NAMES = readdirSync(new URL('en/', TEXTS));

/** Structure that must be equal in every language: headings, items, rows and links. */
function shapeOf(language: string, name: string) {
  const text = readFileSync(new URL(`${language}/${name}`, TEXTS), 'utf8');
  const count = (kind: RegExp) => [...text.matchAll(kind)].length;
  return {
    headings: [1, 2, 3].map((level) => count(new RegExp(`^#{${level}} `, 'gm'))),
    items: count(/^(?:-|\d\.) /gm),
    rows: count(/^\|/gm),
    links: [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, url]) => url).sort(),
  };
}

test('every prerendered prose page has a text', () => {
  const written = Object.values(SITE_PAGES).filter(
    (name) => !['landing', 'pricing', 'licenses'].includes(name),
  );
  expect(NAMES.toSorted()).toEqual(written.map((name) => `${name}.md`).toSorted());
});

test.each(['de', 'es', 'fr'].flatMap((language) => NAMES.map((name) => [language, name])))(
  'the text %s/%s says as much as the English one',
  (language, name) => {
    expect(shapeOf(language, name)).toEqual(shapeOf('en', name));
  },
);

test.each(NAMES)('%s links only to existing pages', (name) => {
  const known = [...Object.keys(SITE_PAGES), '/subscription', '/api/docs', ...Object.keys(DOC_PATHS)];
  expect(shapeOf('en', name).links.filter((link) => !known.includes(link ?? ''))).toEqual([]);
});
