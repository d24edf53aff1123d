import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Selectable } from 'kysely';
import { type WebSocket, WebSocketServer } from 'ws';
import { AppError, ERROR_STATUS } from '#contract/errors.ts';
import { SOCKET_CLOSED, type SocketMessage } from '#contract/events.ts';
import type { Project } from '#contract/projects.ts';
import type { ProjectsTable } from '#db/schema.ts';
import { type Caller, type MemberRole, openSession, signedOut } from './access.ts';
import { type Connections, createConnections } from './connections.ts';
import type { Deps } from './deps.ts';
import { toAppError } from './errors.ts';
import { spend } from './limits.ts';
import { isOwnOrigin } from './security.ts';
import { LIFETIME_S, verify } from './signed.ts';
import { createThrottle } from './throttle.ts';

const ADDRESS = '/ws/notifications';
const LONGEST_MESSAGE_BYTES = 1024;
const PING_MS = 30_000;
const SESSION_CHECK_MS = 60_000;

/** At most four updates a second for one project or one user. */
const UPDATE_EVERY_MS = 250;

/** What the features have to say on the line. */
export interface SocketViews {
  project(row: Selectable<ProjectsTable>, role: MemberRole): Project;
  /** The user's unread count, and with it the notification of this id. */
  notifications(userId: string, notificationId?: string): Promise<SocketMessage>;
}

interface Entry {
  caller: Caller;
  /** When an access token ends its socket; a ticket's lasts as long as the session. */
  endsAt: Date | null;
}

/** Opens `/ws/notifications` on the app's server and sends what happens to everyone whom it concerns. */
export function attachSocket(app: FastifyInstance, deps: Deps, views: SocketViews): void {
  const connections = createConnections();
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: LONGEST_MESSAGE_BYTES,
  });
  app.server.on('upgrade', async (request, stream, head) => {
    // Until the socket takes over, nobody else hears that the peer has gone.
    const gone = () => stream.destroy();
    stream.on('error', gone);
    try {
      const { caller, endsAt } = await admit(request, deps);
      stream.off('error', gone);
      server.handleUpgrade(request, stream, head, (socket) => {
        connections.add(socket, caller);
        greet(socket, views, caller).catch((err) => app.log.warn({ err }, ADDRESS));
        if (endsAt) closeAt(socket, Math.max(0, endsAt.getTime() - deps.now().getTime()));
      });
    } catch (error) {
      const known = toAppError(error);
      if (known.code === 'internal') app.log.error({ err: error }, 'upgrade failed');
      refuse(stream, ERROR_STATUS[known.code]);
    }
  });
  const stop = [
    forwardEvents(app, deps, connections, views),
    repeat(PING_MS, () => connections.ping()),
    repeat(
      SESSION_CHECK_MS,
      () => void checkSessions(deps, connections).catch((err) => app.log.warn({ err }, ADDRESS)),
    ),
  ];
  app.addHook('preClose', async () => {
    for (const end of stop) end();
    connections.close();
  });
}

/** Who connects, decided before the 101. Throws what an ordinary call would. */
async function admit(request: IncomingMessage, deps: Deps): Promise<Entry> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  if (pathname !== ADDRESS) throw new AppError('not_found', 'There is no WebSocket at this address.');
  const { headers } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
  if (hasBody) throw new AppError('bad_request', 'An upgrade carries no body.');
  if (!isOwnOrigin({ headers, host: headers.host ?? '' }, deps.config)) {
    throw new AppError('bad_request', 'This request came from a page of another site.');
  }

  const bearer = searchParams.get('token') ?? '';
  const now = deps.now();
  const access = await verify({ keys: deps.keys, type: 'access', now }, bearer);
  if (access) return { caller: await openSession(deps, access), endsAt: access.expiresAt };

  const ticket = await verify({ keys: deps.keys, type: 'ticket', now }, bearer);
  if (!ticket) throw signedOut();
  const caller = await openSession(deps, ticket);
  await spend(deps, `ticket:${ticket.id}`, { max: 1, seconds: 4 * LIFETIME_S.ticket });
  return { caller, endsAt: null };
}

function refuse(stream: Duplex, status: number): void {
  stream.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** What happened before the line was open. */
async function greet(socket: WebSocket, views: SocketViews, { userId }: Caller): Promise<void> {
  socket.send(JSON.stringify(await views.notifications(userId)));
}

function closeAt(socket: WebSocket, ms: number): void {
  const timer = setTimeout(() => socket.close(SOCKET_CLOSED.signed_out), ms).unref();
  socket.on('close', () => clearTimeout(timer));
}

/** Turns domain events of any process into messages for the sockets of this one; returns what ends it. */
function forwardEvents(
  app: FastifyInstance,
  deps: Deps,
  connections: Connections,
  views: SocketViews,
): () => void {
  const tell = createThrottle(UPDATE_EVERY_MS, (id) => sendProject(deps, connections, views, id));
  const newest = new Map<string, string>();
  const tellCount = createThrottle(UPDATE_EVERY_MS, async (userId) => {
    const id = newest.get(userId);
    newest.delete(userId);
    if (connections.userIds().includes(userId)) {
      connections.send(userId, await views.notifications(userId, id));
    }
  });
  const stops = [
    deps.events.subscribe('project-changed', ({ projectId }) => {
      tell(projectId).catch((err) => app.log.warn({ err }, 'project update lost'));
    }),
    deps.events.subscribe('project-removed', ({ projectId, userIds }) => {
      for (const id of userIds) connections.send(id, { type: 'project_removed', project_id: projectId });
    }),
    deps.events.subscribe('notifications-changed', ({ userId, notificationId }) => {
      if (notificationId !== undefined) newest.set(userId, notificationId);
      tellCount(userId).catch((err) => app.log.warn({ err }, 'notification update lost'));
    }),
    deps.events.subscribe('session-ended', ({ sessionId }) => connections.endSession(sessionId)),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Reads the project anew and sends it to its connected members, each with their own role. */
async function sendProject(
  { db }: Deps,
  connections: Connections,
  views: SocketViews,
  projectId: string,
): Promise<void> {
  const userIds = connections.userIds();
  if (userIds.length === 0) return;
  const rows = await db
    .selectFrom('projects')
    .innerJoin('project_members as member', 'member.project_id', 'projects.id')
    .selectAll('projects')
    .select(['member.user_id', 'member.role'])
    .where('projects.id', '=', projectId)
    .where('member.user_id', 'in', userIds)
    .execute();
  for (const row of rows) {
    connections.send(row.user_id, { type: 'project_update', project: views.project(row, row.role) });
  }
}

/** Closes sockets whose session ended without an event: deactivated, deleted or run out. */
async function checkSessions(deps: Deps, connections: Connections): Promise<void> {
  const sessionIds = connections.sessionIds();
  if (sessionIds.length === 0) return;
  const rows = await deps.db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select('sessions.id')
    .where('sessions.id', 'in', sessionIds)
    .where('sessions.revoked_at', 'is', null)
    .where('sessions.expires_at', '>', deps.now())
    .where('users.is_active', '=', true)
    .execute();
  const standing = new Set(rows.map((row) => row.id));
  for (const id of sessionIds) if (!standing.has(id)) connections.endSession(id);
}

function repeat(ms: number, work: () => void): () => void {
  const timer = setInterval(work, ms).unref();
  return () => clearInterval(timer);
}
