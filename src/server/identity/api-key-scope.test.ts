import { expect, test } from 'vitest';
import { z } from 'zod';
import { apiRoutes } from '#contract/api.ts';
import { type Route, route } from '#contract/route.ts';
import { allowsApiKey, requireApiKeyScope } from './api-key-scope.ts';

const ROUTES = Object.values(apiRoutes).flatMap((feature) => Object.values<Route>(feature));
const OPEN_ROUTES = ROUTES.filter(allowsApiKey).map((open) => [`${open.method} ${open.path}`, open] as const);

const reply = z.object({});

test('a route without a declaration is closed to API keys', () => {
  const undeclared = route({ method: 'GET', path: '/projects/:id/bookmarks', summary: 'Bookmarks', reply });
  expect(undeclared.apiKey).toBe('closed');
  expect(allowsApiKey(undeclared)).toBe(false);
});

test('a key of one project opens only routes that declare where their project is named', () => {
  const key = { id: 'k', scope: 'write', projectId: 'p' } as const;
  expect(() => requireApiKeyScope(key, { apiKey: 'read' })).toThrow(
    expect.objectContaining({ code: 'not_found' }),
  );
  expect(() => requireApiKeyScope(key, { apiKey: 'read', projectFrom: 'path' })).not.toThrow();
  expect(() => requireApiKeyScope({ ...key, projectId: null }, { apiKey: 'read' })).not.toThrow();
});

test('a read key is refused by routes that need the write scope', () => {
  const key = { id: 'k', scope: 'read', projectId: null } as const;
  expect(() => requireApiKeyScope(key, { apiKey: 'write' })).toThrow(
    expect.objectContaining({ code: 'read_only' }),
  );
  expect(() => requireApiKeyScope(key, { apiKey: 'read' })).not.toThrow();
});

test.each(OPEN_ROUTES)('%s takes API keys as its method and input allow', (_name, open) => {
  expect(open.access).toBe('user');
  if (open.method === 'PUT' || open.method === 'PATCH' || open.method === 'DELETE') {
    expect(open.apiKey).toBe('write');
  }
  if (open.projectFrom === 'path') expect(open.path).toContain(':id');
  if (open.projectFrom === 'query' || open.projectFrom === 'body') {
    expect(requiresProjectId(open[open.projectFrom])).toBe(true);
  }
});

function requiresProjectId(schema: z.ZodType | undefined): boolean {
  const { shape } = (schema ?? {}) as { shape?: Record<string, z.ZodType> };
  return shape?.project_id !== undefined && !shape.project_id.safeParse(undefined).success;
}
