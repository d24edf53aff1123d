import { expect, test } from 'vitest';
import { fillDocSearch } from './doc-search.ts';

const TEMPLATE =
  '<input type="search" name="q" maxLength="100" value=""/><p id="no-results" hidden="" class="x">None</p><ol id="results" class="y"></ol>';
const SECTIONS = [
  { url: '/docs/deploy', title: 'Deploy', heading: '', text: 'A proxy passes WebSockets to the server.' },
  { url: '/docs/deploy#proxy', title: 'Deploy', heading: 'Proxy', text: 'Caddy and nginx <are> tested.' },
  { url: '/docs/chat', title: 'Chat', heading: '', text: 'Ask a question.' },
];

test('sections with all words of a query are listed, headings first', () => {
  const html = fillDocSearch(TEMPLATE, ' Proxy ', SECTIONS);
  const urls = [...html.matchAll(/href="([^"]+)"/g)].map(([, url]) => url);
  expect(urls).toEqual(['/docs/deploy#proxy', '/docs/deploy']);
  expect(html).toContain('value="Proxy"');
  expect(html).toContain('&#60;are&#62;');
  expect(html).toContain('hidden=""');
});

test.each(['proxy question', '"><script>alert(1)</script>', `$& $1 ${'x'.repeat(5000)}`])(
  'a query without results, %s, says so and is text',
  (query) => {
    const html = fillDocSearch(TEMPLATE, query, SECTIONS);
    expect(html).toContain('role="status"');
    expect(html).not.toContain('<script>');
    expect(html.length).toBeLessThan(1000);
  },
);

test('an empty query has neither results nor a message', () => {
  expect(fillDocSearch(TEMPLATE, '  ', SECTIONS)).toBe(TEMPLATE);
});
