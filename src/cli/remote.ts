import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { chatRoutes } from '#contract/chat.ts';
import { debugRoutes } from '#contract/debug.ts';
import { type ErrorReply, errorReply } from '#contract/error-reply.ts';
import { AppError, isErrorKey } from '#contract/errors.ts';
import { type Project, projectRoutes } from '#contract/projects.ts';
import { API_PREFIX, type Route, type RouteInput, type RouteReply } from '#contract/route.ts';
import { searchRoutes } from '#contract/search.ts';
import { resolveCommit } from '#git/refs.ts';
import type { QuerySource } from './local.ts';

/** A server and an API key. */
export interface Remote {
  /** Such as `https://hindsight.example`. */
  server: string;
  apiKey: string;
}

const REQUEST_TIMEOUT_MS = 120_000;
const POLL_INTERVAL_MS = 1_000;

/** Queries a project of a server; `repo` is the git directory of the checkout that errors come from, null without one. */
export function createRemoteSource(
  remote: Remote,
  project_id: string,
  repo: string | null,
  signal: AbortSignal,
): QuerySource {
  const send = <R extends Route>(route: R, input: RouteInput<R>) => callRoute(remote, route, input, signal);
  return {
    search: async (q, limit) => {
      const query = { q, project_id, limit: String(Math.min(limit, 50)) };
      return await send(searchRoutes.search, { query });
    },
    ask: async (message) => {
      const body = { message, use_chat_history: false };
      const { response, readings } = await send(chatRoutes.send, { params: { id: project_id }, body });
      return { answer: response, readings, commit: '' };
    },
    repo,
    debug: async (error_message) => {
      const body = { error_message, project_id };
      const revision = repo === null ? null : await resolveCommit(repo, 'HEAD');
      try {
        return await send(debugRoutes.debug, { body: { ...body, revision } });
      } catch (error) {
        // The server may not have fetched the commit under test, or never will: a trial merge of a pull request.
        if (revision === null || !(error instanceof AppError) || error.code !== 'not_found') throw error;
        return await send(debugRoutes.debug, { body });
      }
    },
    use: null,
  };
}

/** Finds the id of a project by id or name. Throws `not_found`, or `bad_request` when several match no name. */
export async function findProject(
  remote: Remote,
  named: string | null,
  signal: AbortSignal,
): Promise<string> {
  const projects = await callRoute(remote, projectRoutes.list, {}, signal);
  const found = projects.filter(({ id, name }) => named === null || id === named || name === named);
  if (found.length === 1) return found[0]!.id;
  const names = projects.map(({ name }) => name).join(', ');
  throw new AppError('not_found', 'project_not_named', { params: { projects: names || 'none' } });
}

/** Creates a project and waits until it is indexed or failed. */
export async function connectRepository(
  remote: Remote,
  body: { name: string; git_url: string },
  onProgress: (words: string) => void,
  signal: AbortSignal,
): Promise<Project> {
  const { id } = await callRoute(remote, projectRoutes.create, { body }, signal);
  for (let lastStatus = ''; ; await sleep(POLL_INTERVAL_MS, undefined, { signal })) {
    const project = await callRoute(remote, projectRoutes.get, { params: { id } }, signal);
    if (project.status !== lastStatus) onProgress(`${project.name}: ${project.status}`);
    lastStatus = project.status;
    if (project.status === 'ready' || project.status === 'failed') return project;
  }
}

/** Calls a route of a server. Throws its error, or `unavailable` when there is no answer. */
export async function callRoute<R extends Route>(
  { server, apiKey }: Remote,
  route: R,
  input: RouteInput<R>,
  signal: AbortSignal,
): Promise<RouteReply<R>> {
  const {
    params = {},
    query,
    body,
  } = input as Record<'params' | 'query', Record<string, string> | undefined> & {
    body?: unknown;
  };
  const path = route.path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? ''));
  const url = new URL(`${API_PREFIX}${path}?${new URLSearchParams(query)}`, server);
  const init = {
    method: route.method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    redirect: 'error' as const,
    signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
  };
  return await sendRequest(server, route, url, init);
}

/** Uploads raw bytes to a route. Throws as `callRoute` does. */
export async function uploadBytes<R extends Route>(
  { server, apiKey }: Remote,
  route: R,
  {
    path,
    query,
    type,
    body,
  }: { path: string; query: Record<string, string>; type: string; body: Uint8Array },
  signal: AbortSignal,
): Promise<RouteReply<R>> {
  const url = new URL(`${API_PREFIX}${path}?${new URLSearchParams(query)}`, server);
  return await sendRequest(server, route, url, {
    method: route.method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': type },
    body: Buffer.from(body),
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
  });
}

async function sendRequest<R extends Route>(
  server: string,
  route: R,
  url: URL,
  init: RequestInit,
): Promise<RouteReply<R>> {
  const response = await fetch(url, init).catch((cause) => {
    throw new AppError('unavailable', 'server_unreachable', { params: { server }, cause });
  });
  const reply: unknown = await response.json().catch(() => null);
  if (response.ok) return (route.reply as z.ZodType<RouteReply<R>>).parse(reply);
  const parsed = errorReply.safeParse(reply);
  if (!parsed.success)
    throw new AppError('unavailable', 'not_a_hindsight_server', {
      params: { server, status: response.status },
    });
  throw toRemoteError(parsed.data);
}

/** Error that a server replied with; a newer server may have messages that this program lacks. */
function toRemoteError({ error: { code, message, message_key = '', params, reason } }: ErrorReply): AppError {
  return isErrorKey(message_key)
    ? new AppError(code, message_key, { params, reason })
    : new AppError(code, 'remote_error', { params: { message }, reason });
}
