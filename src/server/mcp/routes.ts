import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { McpSource } from '#assistant/mcp.ts';
import { withholdFromResult } from '#assistant/models/withhold-paths.ts';
import type { IncludedBranch } from '#contract/common.ts';
import { AppError } from '#contract/errors.ts';
import type { Deps } from '../deps.ts';
import { requireSameOrigin } from '../http/security.ts';
import { abortOnDisconnect } from '../http/serve.ts';
import { type Caller, projectAccess } from '../identity/access.ts';
import { loadModelExclusions } from '../llm/project-model.ts';
import { runProjectTool } from '../llm/project-tools.ts';
import { requireIndex } from '../project-data/storage.ts';
import { resolveAnswerRevision } from '../project-data/working-branch.ts';
import { consumeAnswerLimit, consumeUserLimit } from '../rate-limit/rate-limiter.ts';
import { callProofs } from './call-proofs.ts';

/** Per request. */
const MAX_MESSAGES = 20;

/** Endpoint of the Model Context Protocol over streamable HTTP. */
const MCP_PATH = '/mcp';

/** Registers the MCP endpoint. Every request is authenticated and stateless. */
export function registerMcp(app: FastifyInstance, deps: Deps): void {
  const onRequest = async (request: FastifyRequest) => {
    if (request.headers.origin) requireSameOrigin(request, deps.config);
    request.caller = await app.guards.authenticate(request);
  };
  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    const caller = request.caller!;
    await rateLimitMessages(deps, caller.userId, request.body);
    const disconnected = abortOnDisconnect(reply);
    const proofs = callProofs(app, request);
    const source = { ...createSource(deps, caller, disconnected), proofs };
    const { createMcpHandler, createMcpServer } = await loadMcp();
    const handler = createMcpHandler(() => createMcpServer(source));
    const response = await handler.fetch(toWebRequest(request, disconnected), { parsedBody: request.body });
    response.headers.forEach((value, name) => {
      if (name !== 'content-length') reply.header(name, value);
    });
    reply.status(response.status);
    return reply.send(response.body ? Readable.fromWeb(response.body as never) : '');
  };
  app.route({ method: ['GET', 'POST', 'DELETE'], url: MCP_PATH, onRequest, handler: serve });
}

/** Loads the protocol with its first request: a start of the server takes 0.1 s less. */
async function loadMcp() {
  const [protocol, tools] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('#assistant/mcp.ts'),
  ]);
  return { ...protocol, ...tools };
}

/** Tools equivalent to `POST /api/debug`. */
const METERED_TOOLS = ['investigate_error'];

/** Counts each message like the corresponding API call; the request itself counted as the first. */
async function rateLimitMessages(deps: Deps, userId: string, body: unknown): Promise<void> {
  const messages = Array.isArray(body) ? body : [body];
  if (messages.length > MAX_MESSAGES) {
    throw new AppError('bad_request', 'mcp_too_many_messages', { params: { limit: MAX_MESSAGES } });
  }
  for (const [index, message] of messages.entries()) {
    if (index > 0) await consumeUserLimit(deps, userId);
    const name = message?.method === 'tools/call' ? message.params?.name : undefined;
    if (METERED_TOOLS.includes(name)) await consumeAnswerLimit(deps, userId);
  }
}

function toWebRequest(request: FastifyRequest, signal: AbortSignal): Request {
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

/** `disconnected` aborts when the connection closes; the protocol itself only reports cancellations. */
function createSource(deps: Deps, caller: Caller, disconnected: AbortSignal): Omit<McpSource, 'proofs'> {
  return {
    projects: () => listReadableProjects(deps, caller),
    runTool: async (tool, input, { project, workingBranch, signal: cancelled }) => {
      const signal = cancelled ? AbortSignal.any([cancelled, disconnected]) : disconnected;
      const row = await projectAccess(deps, caller, await resolveProjectId(deps, caller, project), 'viewer');
      const reader = { project: row, userId: caller.userId, signal };
      const index = await requireIndex(deps, row);
      const { at, ownBranch } = await resolveAnswerRevision(deps, { ...reader, index, workingBranch });
      const found = await runProjectTool(deps, row, { tool, input, userId: caller.userId, at, signal });
      const result =
        ownBranch === null ? found : { ...found, text: `${found.text}\n\n${describe(ownBranch)}` };
      // The caller is a model's client.
      const isExcluded = await loadModelExclusions(deps, row.id);
      return isExcluded ? withholdFromResult(result, input, isExcluded) : result;
    },
  };
}

/** Says that a result is about more than the indexed commit. */
function describe({ name, changes }: IncludedBranch): string {
  return `Includes your working branch ${name} (commits of your own: ${changes}).`;
}

/** Lists the projects that the caller may read; `projectAccess` decides, which covers project-scoped keys. */
async function listReadableProjects(deps: Deps, caller: Caller) {
  const rows = await deps.db
    .selectFrom('projects as p')
    .innerJoin('project_members as m', 'm.project_id', 'p.id')
    .where('m.user_id', '=', caller.userId)
    .select(['p.id', 'p.name', 'p.git_url', 'p.status'])
    .orderBy('p.name')
    .limit(500)
    .execute();
  const isAllowed = await Promise.all(
    rows.map((row) =>
      projectAccess(deps, caller, row.id, 'viewer').then(
        () => true,
        () => false,
      ),
    ),
  );
  return rows.filter((_, index) => isAllowed[index]);
}

/** Resolves a project by id or name. Throws `not_found` with a hint. */
async function resolveProjectId(deps: Deps, caller: Caller, idOrName: string | undefined): Promise<string> {
  const projects = await listReadableProjects(deps, caller);
  const matches =
    idOrName === undefined
      ? projects
      : projects.filter(({ id, name }) => id === idOrName || name.toLowerCase() === idOrName.toLowerCase());
  if (matches.length === 1) return matches[0]!.id;
  throw new AppError('not_found', matches.length === 0 ? 'mcp_project_not_found' : 'mcp_project_ambiguous');
}
