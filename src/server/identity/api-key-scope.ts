import type { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import type { KeyScope } from '#contract/keys.ts';
import type { Route } from '#contract/route.ts';

/** What an API key may do, beside what its owner may. */
export interface ApiKeyGrant {
  id: string;
  scope: KeyScope;
  /** The one project that it opens, or null. */
  projectId: string | null;
}

type Called = Pick<Route, 'method' | 'path' | 'query' | 'body'>;

/** Calls that a program may make. What is not here needs a person's sign-in: keys must not make more of themselves. */
const OPEN =
  /^\/(?:projects|search|debug|history|chat|ide|dashboard|notifications|lines|evolution|commits)(?:\/|$)/;
const OPEN_EXACTLY = new Set(['GET /auth/me']);
const CLOSED =
  /^\/projects\/:\w+\/(?:members|invitations|credential|owner|membership|hook)(?:\/|$)|^\/notifications\/push(?:\/|$)/;

/** An address decides where the owner's credential is sent. */
const CLOSED_EXACTLY = new Set(['PATCH /projects/:id']);

/** Questions: they change nothing of a project, though they are sent by POST. */
const QUESTIONS = new Set([
  'POST /debug',
  'POST /debug/rag',
  'POST /chat/projects/:id/messages',
  'POST /chat/projects/:id/messages/:message/regenerate',
  'POST /ide/projects/:id/debug/ide',
]);

/** These show a key of one project no more than that. */
const KNOWS_ITS_PROJECT = new Set(['GET /auth/me', 'GET /projects']);

/** Whether a program may make this call at all. */
export function opensToKeys(route: Called): boolean {
  const name = `${route.method} ${route.path}`;
  if (CLOSED_EXACTLY.has(name)) return false;
  return OPEN_EXACTLY.has(name) || (OPEN.test(route.path) && !CLOSED.test(route.path));
}

/**
 * Holds a call against the limits of the key that makes it. Throws `not_found` for what lies outside of its one
 * project, and `read_only` for a change by a key that only reads. That the project named in the call is the key's own is
 * for `projectAccess` to say.
 */
export function checkKey(key: ApiKeyGrant, route: Called): void {
  if (key.projectId !== null && !namesProject(route)) {
    throw new AppError('not_found', 'This key opens one project only.', { reason: 'one_project' });
  }
  const changes = route.method !== 'GET' && !QUESTIONS.has(`${route.method} ${route.path}`);
  if (changes && key.scope === 'read') {
    throw new AppError('read_only', 'This key may read but not change anything.', { reason: 'key_scope' });
  }
}

/** Whether a call says which project it is about, so that `projectAccess` decides. */
function namesProject(route: Called): boolean {
  if (KNOWS_ITS_PROJECT.has(`${route.method} ${route.path}`)) return true;
  if (/^(?:\/ide|\/chat)?\/projects\/:id(?:\/|$)|^\/history\/commits\/:id$/.test(route.path)) return true;
  return requires(route.query) || requires(route.body);
}

function requires(schema: z.ZodType | undefined): boolean {
  const { shape } = (schema ?? {}) as { shape?: Record<string, z.ZodType> };
  return shape?.project_id !== undefined && !shape.project_id.safeParse(undefined).success;
}
