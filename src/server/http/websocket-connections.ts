import type { WebSocket } from 'ws';
import { SOCKET_CLOSE_CODES, type SocketMessage } from '#contract/events.ts';
import type { Caller } from '../identity/access.ts';

const MAX_PER_USER = 5;
const MAX_UNANSWERED_PINGS = 2;
const MAX_BUFFERED_BYTES = 256 * 1024;

/** The web client sends no messages; a client that does is disconnected. */
const MAX_MESSAGES_BETWEEN_PINGS = 5;

/** Time for the peer to answer the close frame before the connection is terminated. */
const CLOSE_TIMEOUT_MS = 2000;

const GOING_AWAY = 1001;
const POLICY_VIOLATION = 1008;

interface Connection {
  socket: WebSocket;
  caller: Caller;
  unanswered: number;
  received: number;
}

/** The open WebSockets of one process. */
export interface Connections {
  /** Adds an accepted socket; closes the user's oldest one beyond the limit. */
  add(socket: WebSocket, caller: Caller): void;
  /** Lists users with at least one open socket in this process. */
  userIds(): string[];
  sessionIds(): string[];
  /** Sends to every socket of a user; terminates those that do not read. */
  send(userId: string, message: SocketMessage): void;
  /** Closes the sockets of a session that has ended. */
  endSession(sessionId: string): void;
  /** Pings every socket and terminates those that missed two pings. */
  ping(): void;
  /** Closes all sockets on shutdown. */
  close(): void;
}

/** Creates an empty set of connections. */
export function createConnections(): Connections {
  const open = new Set<Connection>();
  const filter = (test: (caller: Caller) => boolean) =>
    [...open].filter((connection) => test(connection.caller));

  const end = (connection: Connection, code: number) => {
    open.delete(connection);
    connection.socket.close(code);
    setTimeout(() => connection.socket.terminate(), CLOSE_TIMEOUT_MS).unref();
  };

  return {
    add(socket, caller) {
      const connection: Connection = { socket, caller, unanswered: 0, received: 0 };
      open.add(connection);
      socket.on('close', () => open.delete(connection));
      // An oversized or malformed frame closes the connection already.
      socket.on('error', () => {});
      socket.on('pong', () => {
        connection.unanswered = 0;
      });
      socket.on('message', () => {
        connection.received += 1;
        if (connection.received > MAX_MESSAGES_BETWEEN_PINGS) end(connection, POLICY_VIOLATION);
      });
      const [oldest, ...others] = filter(({ userId }) => userId === caller.userId);
      if (oldest && others.length >= MAX_PER_USER) end(oldest, SOCKET_CLOSE_CODES.too_many);
    },
    userIds: () => [...new Set([...open].map((connection) => connection.caller.userId))],
    sessionIds: () => [...new Set([...open].map((connection) => connection.caller.sessionId))],
    send(userId, message) {
      const text = JSON.stringify(message);
      for (const { socket } of filter((caller) => caller.userId === userId)) {
        if (socket.bufferedAmount > MAX_BUFFERED_BYTES) socket.terminate();
        else socket.send(text);
      }
    },
    endSession(sessionId) {
      for (const connection of filter((caller) => caller.sessionId === sessionId))
        end(connection, SOCKET_CLOSE_CODES.signed_out);
    },
    ping() {
      for (const connection of open) {
        if (connection.unanswered >= MAX_UNANSWERED_PINGS) connection.socket.terminate();
        connection.unanswered += 1;
        connection.received = 0;
        connection.socket.ping();
      }
    },
    close() {
      for (const connection of open) end(connection, GOING_AWAY);
    },
  };
}
