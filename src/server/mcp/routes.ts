import { Readable } from 'node:stream';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createMcpServer, type McpSource } from '#assistant/mcp.ts';
import { AppError } from '#contract/errors.ts';
import { type Caller, projectAccess } from '../access.ts';
import type { Deps } from '../deps.ts';
import { untilClosed } from '../http.ts';
import { useProjectTool } from '../project-tools.ts';
import { requireOwnOrigin } from '../security.ts';

/** Where clients of the Model Context Protocol call, over streamable HTTP. */
export const MCP_ADDRESS = '/mcp';

/** Serves the tools to MCP clients: every call is signed in, and on its own. */
export function registerMcp(app: FastifyInstance, deps: Deps): void {
  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    if (request.headers.origin) requireOwnOrigin(request, deps.config);
    const caller = await app.authenticate(request);
    const handler = createMcpHandler(() => createMcpServer(sourceFor(deps, caller)));
    const response = await handler.fetch(asWebRequest(request, reply), { parsedBody: request.body });
    response.headers.forEach((value, name) => {
      if (name !== 'content-length') reply.header(name, value);
    });
    reply.status(response.status);
    return reply.send(response.body ? Readable.fromWeb(response.body as never) : '');
  };
  app.route({ method: ['GET', 'POST', 'DELETE'], url: MCP_ADDRESS, handler: serve });
}

function asWebRequest(request: FastifyRequest, reply: FastifyReply): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string' && !/^(?:authorization|cookie|content-length)$/.test(name))
      headers.set(name, value);
  }
  const body = request.method === 'POST' ? JSON.stringify(request.body ?? null) : undefined;
  const url = new URL(request.url, 'http://localhost');
  return new Request(url, { method: request.method, headers, body, signal: untilClosed(reply) });
}

function sourceFor(deps: Deps, caller: Caller): McpSource {
  return {
    projects: () => readableProjects(deps, caller),
    use: async (tool, input, { project, signal }) => {
      const row = await projectAccess(deps, caller, await projectNamed(deps, caller, project), 'viewer');
      return await useProjectTool(deps, row, { tool, input, userId: caller.userId, signal });
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
