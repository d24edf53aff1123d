import { Readable } from 'node:stream';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createMcpServer, type McpSource } from '#assistant/mcp.ts';
import { AppError } from '#contract/errors.ts';
import type { Deps } from '../deps.ts';
import { requireSameOrigin } from '../http/security.ts';
import { abortOnDisconnect } from '../http/serve.ts';
import { type Caller, projectAccess } from '../identity/access.ts';
import { runProjectTool } from '../llm/project-tools.ts';
import { consumeAnswerLimit, consumeUserLimit } from '../rate-limit/rate-limiter.ts';

/** Messages of one request. */
const MAX_MESSAGES = 20;

/** Where clients of the Model Context Protocol call, over streamable HTTP. */
export const MCP_PATH = '/mcp';

/** Serves the tools to MCP clients: every call is signed in, and on its own. */
export function registerMcp(app: FastifyInstance, deps: Deps): void {
  const onRequest = async (request: FastifyRequest) => {
    if (request.headers.origin) requireSameOrigin(request, deps.config);
    request.caller = await app.authenticate(request);
  };
  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    const caller = request.caller!;
    await limitMessages(deps, caller.userId, request.body);
    const gone = abortOnDisconnect(reply);
    const handler = createMcpHandler(() => createMcpServer(sourceFor(deps, caller, gone)));
    const response = await handler.fetch(asWebRequest(request, gone), { parsedBody: request.body });
    response.headers.forEach((value, name) => {
      if (name !== 'content-length') reply.header(name, value);
    });
    reply.status(response.status);
    return reply.send(response.body ? Readable.fromWeb(response.body as never) : '');
  };
  app.route({ method: ['GET', 'POST', 'DELETE'], url: MCP_PATH, onRequest, handler: serve });
}

/** The tools that do what `POST /api/debug` does. */
const ANSWERING_TOOLS = ['investigate_error'];

/** Counts each message like the API's call of the same kind; the request has counted as the first. */
async function limitMessages(deps: Deps, userId: string, body: unknown): Promise<void> {
  const messages = Array.isArray(body) ? body : [body];
  if (messages.length > MAX_MESSAGES) {
    throw new AppError('bad_request', `At most ${MAX_MESSAGES} messages can be sent at once. Send fewer.`);
  }
  for (const [index, message] of messages.entries()) {
    if (index > 0) await consumeUserLimit(deps, userId);
    const name = message?.method === 'tools/call' ? message.params?.name : undefined;
    if (ANSWERING_TOOLS.includes(name)) await consumeAnswerLimit(deps, userId);
  }
}

function asWebRequest(request: FastifyRequest, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string' && !/^(?:authorization|cookie|content-length)$/.test(name))
      headers.set(name, value);
  }
  const body = request.method === 'POST' ? JSON.stringify(request.body ?? null) : undefined;
  return new Request(`http://localhost${MCP_PATH}`, {
    method: request.method,
    headers,
    body,
    signal,
  });
}

/** `gone` fires with the caller's connection: the protocol tells of a cancellation, not of a caller who has left. */
function sourceFor(deps: Deps, caller: Caller, gone: AbortSignal): McpSource {
  return {
    projects: () => readableProjects(deps, caller),
    runTool: async (tool, input, { project, signal: cancelled }) => {
      const signal = cancelled ? AbortSignal.any([cancelled, gone]) : gone;
      const row = await projectAccess(deps, caller, await projectNamed(deps, caller, project), 'viewer');
      return await runProjectTool(deps, row, { tool, input, userId: caller.userId, signal });
    },
  };
}

/** What the caller may read; `projectAccess` decides, also for keys that open one project only. */
async function readableProjects(deps: Deps, caller: Caller) {
  const rows = await deps.db
    .selectFrom('projects as p')
    .innerJoin('project_members as m', 'm.project_id', 'p.id')
    .where('m.user_id', '=', caller.userId)
    .select(['p.id', 'p.name', 'p.git_url', 'p.status'])
    .orderBy('p.name')
    .limit(500)
    .execute();
  const allowed = await Promise.all(
    rows.map((row) =>
      projectAccess(deps, caller, row.id, 'viewer').then(
        () => true,
        () => false,
      ),
    ),
  );
  return rows.filter((_, index) => allowed[index]);
}

/** The id of the project that is meant by id or name. Throws `not_found` in words that help. */
async function projectNamed(deps: Deps, caller: Caller, named: string | undefined): Promise<string> {
  const projects = await readableProjects(deps, caller);
  const found =
    named === undefined
      ? projects
      : projects.filter(({ id, name }) => id === named || name.toLowerCase() === named.toLowerCase());
  if (found.length === 1) return found[0]!.id;
  throw new AppError(
    'not_found',
    found.length === 0
      ? 'There is no such project. Call list_projects, and pass one of its ids as `project`.'
      : 'There are several projects. Call list_projects, and pass one of its ids as `project`.',
  );
}
