import { AppError } from '#contract/errors.ts';
import type { KeyScope } from '#contract/keys.ts';
import type { Route } from '#contract/route.ts';

/** Permissions of an API key; it never exceeds those of its owner. */
export interface ApiKeyGrant {
  id: string;
  scope: KeyScope;
  /** The single project of the key; null for all projects of its owner. */
  projectId: string | null;
}

/** True when API keys may call this route at all. */
export function allowsApiKey({ apiKey }: Pick<Route, 'apiKey'>): boolean {
  return apiKey !== 'closed';
}

/**
 * Checks the permissions of a key against the declaration of an open route; `projectAccess` then compares the project of the
 * call. Throws `not_found` where a key of one project calls a route that names none, and `read_only` for a missing scope.
 */
export function requireApiKeyScope(key: ApiKeyGrant, route: Pick<Route, 'apiKey' | 'projectFrom'>): void {
  if (key.projectId !== null && route.projectFrom === undefined) {
    throw new AppError('not_found', 'key_project_scope', { reason: 'project_out_of_scope' });
  }
  if (route.apiKey === 'write' && key.scope === 'read') {
    throw new AppError('read_only', 'key_read_only', { reason: 'insufficient_scope' });
  }
}
