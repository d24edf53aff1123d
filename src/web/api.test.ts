import { expect, test } from 'vitest';
import { buildUrl } from './api.ts';

test('path parameters are escaped, and a wildcard keeps its slashes', () => {
  const params = { id: 'a/b', '*': 'src/où ?.ts' };
  expect(buildUrl('/projects/:id/files/*', { params })).toBe(
    '/api/projects/a%2Fb/files/src/o%C3%B9%20%3F.ts',
  );
});

test('undefined query parameters are omitted', () => {
  const query = { q: 'a&b', project_id: 'p', limit: undefined };
  expect(buildUrl('/search', { query })).toBe('/api/search?q=a%26b&project_id=p');
});
