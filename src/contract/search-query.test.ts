import { expect, test } from 'vitest';
import { parseDateRange } from './search-dates.ts';
import { filterValues, parseSearchQuery, withFilter, withoutFilters } from './search-query.ts';

const problems = (query: string, match?: 'words' | 'exact' | 'regex') =>
  parseSearchQuery(query, match).problems.map(({ code }) => code);

test('filters are read anywhere in the text, the rest stays as it is', () => {
  const query = parseSearchQuery('retry  repo:flask -path:"my tests/" loop  lang:PY');
  expect(query).toMatchObject({ text: 'retry loop', type: 'code', match: 'words', problems: [] });
  expect(filterValues(query, 'path', true)).toEqual(['my tests/']);
  expect(filterValues(query, 'lang')).toEqual(['PY']);
  expect(parseSearchQuery('TypeError: x is undefined type: y repo:').text).toBe(
    'TypeError: x is undefined type: y repo:',
  );
});

test('slashes make an expression, quotes an exact text, and quoted filters are text', () => {
  expect(parseSearchQuery('repo:a /fo+ (b|c)/')).toMatchObject({ match: 'regex', text: 'fo+ (b|c)' });
  expect(parseSearchQuery('"type:foo  bar" lang:go')).toMatchObject({
    match: 'exact',
    text: 'type:foo  bar',
  });
  expect(parseSearchQuery('/a/ and /b/')).toMatchObject({ match: 'words' });
});

test('a query that cannot run says why', () => {
  expect(problems('type:nothing x')).toEqual(['unknown_type']);
  expect(parseSearchQuery('type:Commit author:ada x')).toMatchObject({ type: 'commits', problems: [] });
  expect(problems('type:commits date:yesterday')).toEqual(['invalid_date']);
  expect(problems('type:changes side:left x')).toEqual(['invalid_side']);
  expect(problems('rev:a rev:b')).toEqual(['repeated']);
  expect(problems('-type:code')).toEqual(['not_excludable']);
  expect(problems('author:ada x')).toEqual(['not_for_type']);
  expect(problems('type:files a', 'regex')).toEqual(['regex_code_only']);
  expect(problems('x'.repeat(1_001), 'exact')).toEqual(['pattern_too_long']);
  expect(problems('path:x '.repeat(31))).toEqual(['too_many_filters']);
  expect(problems('"'.repeat(10_000))).toEqual([]);
});

test('filters are added before the text and removed from it', () => {
  expect(withFilter('repo:a get user', 'lang', 'go')).toBe('repo:a lang:go get user');
  expect(withFilter('type:files x', 'type', 'symbols')).toBe('type:symbols x');
  expect(withFilter('x repo:Flask', 'repo', 'flask')).toBe('x repo:Flask');
  expect(withFilter('x', 'author', 'Ada "A" L')).toBe('author:"Ada A L" x');
  expect(withoutFilters('a repo:b c repo:d', ({ value }) => value === 'b')).toBe('a c repo:d');
});

test('periods', () => {
  const day = (text: string) => Date.parse(`${text}T00:00:00Z`) / 1000;
  const ranges: [string, string | null, string | null][] = [
    ['2024', '2024-01-01', '2025-01-01'],
    ['2024-02', '2024-02-01', '2024-03-01'],
    ['2024-02-29', '2024-02-29', '2024-03-01'],
    ['>2024-05', '2024-06-01', null],
    ['>=2024-05', '2024-05-01', null],
    ['<2024', null, '2024-01-01'],
    ['<=2024', null, '2025-01-01'],
    ['2023-12..2024', '2023-12-01', '2025-01-01'],
    ['..2024-01-31', null, '2024-02-01'],
  ];
  for (const [text, since, until] of ranges) {
    expect(parseDateRange(text, 0), text).toEqual({ since: since && day(since), until: until && day(until) });
  }
  expect(parseDateRange('2w', day('2024-01-15'))).toEqual({ since: day('2024-01-01'), until: null });
  for (const text of ['2024-13', '2023-02-29', '..', 'a..b', '2024..2025..', '>', '24', '99999d']) {
    expect(parseDateRange(text, 0), text).toBeNull();
  }
});
