import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Selectable } from 'kysely';
import { type WebSocket, WebSocketServer } from 'ws';
import { AppError } from '#contract/errors.ts';
import { SOCKET_CLOSE_CODES, type SocketMessage } from '#contract/events.ts';
import type { Project } from '#contract/projects.ts';
import type { ProjectsTable } from '#db/project-tables.ts';
import type { Deps } from '../deps.ts';
import { authenticateSession, type Caller, type MemberRole, unauthenticated } from '../identity/access.ts';
import { readOnlyByPlan } from '../identity/plan-access.ts';
import { secondFactorRequired } from '../identity/sign-in-policy.ts';
import { TOKEN_LIFETIME_S, verifyToken } from '../identity/signed-tokens.ts';
import { consume, consumeUserLimit } from '../rate-limit/rate-limiter.ts';
import { hasBody } from './body-budget.ts';
import { requireSameOrigin } from './security.ts';
import { createThrottle } from './throttle.ts';
import { type Connections, createConnections } from './websocket-connections.ts';

const WEBSOCKET_PATH = '/ws/notifications';
const MAX_MESSAGE_BYTES = 1024;
const PING_INTERVAL_MS = 30_000;
const SESSION_CHECK_INTERVAL_MS = 60_000;

/** Limits updates of one project or one user to four a second. */
const MIN_UPDATE_INTERVAL_MS = 250;
/** A change of errors loads lists again, and a broken deployment brings many. */
const MIN_ERRORS_INTERVAL_MS = 2_000;

/** Messages that features build for sockets. */
interface SocketPayloads {
  project(row: Selectable<ProjectsTable>, role: MemberRole): Project;
  /** Unread count of a user, with the notification of this id. */
  notifications(userId: string, notificationId?: string): Promise<SocketMessage>;
}

interface AuthorizedSocket {
  caller: Caller;
  /** Expiry of the access token; null for a ticket, whose socket lasts as long as the session. */
  endsAt: Date | null;
}

/** Serves `/ws/notifications` and forwards events to the users they concern. */
export function attachWebSocket(app: FastifyInstance, deps: Deps, views: SocketPayloads): void {
  const connections = createConnections();
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
  });
  const handshakes = routeHandshakes(app);
  app.get(WEBSOCKET_PATH, async (request, reply) => {
    const handshake = handshakes.get(request.raw);
    if (!handshake) {
      // An announced body may never arrive, and shutdown would wait for the connection.
      reply.header('connection', 'close');
      throw new AppError('bad_request', 'websocket_only');
    }
    const { caller, endsAt } = await authorizeSocket(request, deps);
    reply.hijack();
    server.handleUpgrade(request.raw, handshake.takeOver(), handshake.head, (socket) => {
      connections.add(socket, caller);
      deps.metrics.sockets.inc();
      socket.once('close', () => deps.metrics.sockets.dec());
      sendUnreadCount(socket, views, caller).catch((err) => app.log.warn({ err }, WEBSOCKET_PATH));
      if (endsAt) closeAfter(socket, Math.max(0, endsAt.getTime() - deps.now().getTime()));
    });
  });
  const stop = [
    forwardEvents(app, deps, connections, views),
    every(PING_INTERVAL_MS, () => connections.ping()),
    every(
      SESSION_CHECK_INTERVAL_MS,
      () => void checkSessions(deps, connections).catch((err) => app.log.warn({ err }, WEBSOCKET_PATH)),
    ),
  ];
  app.addHook('preClose', async () => {
    for (const end of stop) end();
    connections.close();
  });
}

/** True for a WebSocket handshake; other upgrades are served as ordinary requests. */
export function isWebSocketHandshake(request: IncomingMessage): boolean {
  return request.method === 'GET' && /^websocket$/i.test(request.headers.upgrade ?? '') && !hasBody(request);
}

/** A handshake with its connection, before the reply. */
interface Handshake {
  head: Buffer;
  /** Detaches the connection from HTTP. */
  takeOver(): Socket;
}

/** Routes handshakes through the app like other requests, so that the same hooks check host, limits and errors. */
function routeHandshakes(app: FastifyInstance): WeakMap<IncomingMessage, Handshake> {
  const handshakes = new WeakMap<IncomingMessage, Handshake>();
  app.server.on('upgrade', (request, stream, head) => {
    const socket = stream as Socket;
    // Until the WebSocket takes over, no other handler receives connection errors.
    const onError = () => socket.destroy();
    socket.on('error', onError);
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.on('finish', () => socket.destroySoon());
    const takeOver = () => {
      socket.off('error', onError);
      response.detachSocket(socket);
      return socket;
    };
    handshakes.set(request, { head, takeOver });
    app.routing(request, response);
  });
  return handshakes;
}

/** Authorizes a connection before the 101 reply. Throws as an ordinary call does. */
async function authorizeSocket(request: FastifyRequest, deps: Deps): Promise<AuthorizedSocket> {
  requireSameOrigin(request, deps.config);
  const { token } = request.query as Record<string, unknown>;
  const socket = await authenticateSocket(typeof token === 'string' ? token : '', deps);
  if (socket.caller.lacksSecondFactor) throw secondFactorRequired();
  await consumeUserLimit(deps, socket.caller.userId);
  return socket;
}

async function authenticateSocket(bearer: string, deps: Deps): Promise<AuthorizedSocket> {
  const now = deps.now();
  const access = await verifyToken({ keys: deps.keys, type: 'access', now }, bearer);
  if (access) return { caller: await authenticateSession(deps, access), endsAt: access.expiresAt };

  const ticket = await verifyToken({ keys: deps.keys, type: 'ticket', now }, bearer);
  if (!ticket) throw unauthenticated();
  const caller = await authenticateSession(deps, ticket);
  await consume(deps, `ticket:${ticket.id}`, { max: 1, seconds: 4 * TOKEN_LIFETIME_S.ticket });
  return { caller, endsAt: null };
}

/** Sends the unread count to a new socket. */
async function sendUnreadCount(socket: WebSocket, views: SocketPayloads, { userId }: Caller): Promise<void> {
  socket.send(JSON.stringify(await views.notifications(userId)));
}

function closeAfter(socket: WebSocket, ms: number): void {
  const timer = setTimeout(() => socket.close(SOCKET_CLOSE_CODES.signed_out), ms).unref();
  socket.on('close', () => clearTimeout(timer));
}

/** Forwards domain events of any process to the sockets of this one; returns a function that stops it. */
function forwardEvents(
  app: FastifyInstance,
  deps: Deps,
  connections: Connections,
  views: SocketPayloads,
): () => void {
  const sendUpdate = createThrottle(MIN_UPDATE_INTERVAL_MS, (id) =>
    sendProject(deps, connections, views, id),
  );
  const newestNotification = new Map<string, string>();
  const sendUnreadUpdate = createThrottle(MIN_UPDATE_INTERVAL_MS, async (userId) => {
    const id = newestNotification.get(userId);
    newestNotification.delete(userId);
    if (connections.userIds().includes(userId)) {
      connections.send(userId, await views.notifications(userId, id));
    }
  });
  const sendErrorsUpdate = createThrottle(MIN_ERRORS_INTERVAL_MS, async (project_id) => {
    for (const id of await findConnectedMembers(deps, project_id, connections.userIds()))
      connections.send(id, { type: 'errors_changed', project_id });
  });
  const changedProofs = new Map<string, ProofChange>();
  const sendProofUpdate = createThrottle(MIN_UPDATE_INTERVAL_MS, async (id) => {
    const change = changedProofs.get(id);
    changedProofs.delete(id);
    if (change) await sendProofChange(deps, connections, change);
  });
  const stops = [
    deps.events.subscribe('project-changed', ({ projectId }) => {
      sendUpdate(projectId).catch((err) => app.log.warn({ err }, 'project update lost'));
    }),
    deps.events.subscribe('project-removed', ({ projectId, userIds }) => {
      for (const id of userIds) connections.send(id, { type: 'project_deleted', project_id: projectId });
    }),
    deps.events.subscribe('notifications-changed', ({ userId, notificationId }) => {
      if (notificationId !== undefined) newestNotification.set(userId, notificationId);
      sendUnreadUpdate(userId).catch((err) => app.log.warn({ err }, 'notification update lost'));
    }),
    deps.events.subscribe('error-changed', ({ projectId }) => {
      sendErrorsUpdate(projectId).catch((err) => app.log.warn({ err }, 'error update lost'));
    }),
    deps.events.subscribe('proof-changed', (event) => {
      changedProofs.set(event.proofId, event);
      sendProofUpdate(event.proofId).catch((err) => app.log.warn({ err }, 'proof update lost'));
    }),
    deps.events.subscribe('session-ended', ({ sessionId }) => connections.endSession(sessionId)),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Loads a project and sends it to its connected members, each with their own role. */
async function sendProject(
  deps: Deps,
  connections: Connections,
  views: SocketPayloads,
  projectId: string,
): Promise<void> {
  const userIds = connections.userIds();
  if (userIds.length === 0) return;
  const rows = await deps.db
    .selectFrom('projects')
    .innerJoin('project_members as member', 'member.project_id', 'projects.id')
    .selectAll('projects')
    .select(['member.user_id', 'member.role'])
    .where('projects.id', '=', projectId)
    .select(readOnlyByPlan(deps, 'projects.id').as('read_only_by_plan'))
    .where('member.user_id', 'in', userIds)
    .execute();
  for (const row of rows) {
    connections.send(row.user_id, { type: 'project_updated', project: views.project(row, row.role) });
  }
}

type ProofChange = Extract<Parameters<Deps['events']['emit']>[0], { type: 'proof-changed' }>;

/** Tells connected members that a proof has changed; only its author when it is about a draft. */
async function sendProofChange(
  deps: Deps,
  connections: Connections,
  { projectId, proofId: proof_id, sessionId: session_id, state, userId }: ProofChange,
): Promise<void> {
  const connected = connections.userIds().filter((id) => userId === undefined || id === userId);
  for (const id of await findConnectedMembers(deps, projectId, connected))
    connections.send(id, { type: 'proof_updated', proof_id, session_id, state });
}

/** Those of the connected users who are members of a project. */
async function findConnectedMembers({ db }: Deps, projectId: string, userIds: string[]): Promise<string[]> {
  if (userIds.length === 0) return [];
  const members = await db
    .selectFrom('project_members')
    .select('user_id')
    .where('project_id', '=', projectId)
    .where('user_id', 'in', userIds)
    .execute();
  return members.map(({ user_id }) => user_id);
}

/** Closes sockets whose session ended without an event: deactivated, deleted or expired. */
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
  const active = new Set(rows.map((row) => row.id));
  for (const id of sessionIds) if (!active.has(id)) connections.endSession(id);
}

function every(ms: number, work: () => void): () => void {
  const timer = setInterval(work, ms).unref();
  return () => clearInterval(timer);
}
