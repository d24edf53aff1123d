import type { WebSocket } from 'ws';
import { SOCKET_CLOSE_CODES, type SocketMessage } from '#contract/events.ts';
import type { Caller } from '../identity/access.ts';

const MAX_PER_USER = 5;
const MAX_UNANSWERED_PINGS = 2;
const MAX_BUFFERED_BYTES = 256 * 1024;

/** The browser has nothing to say on this line; who talks all the same is no browser of ours. */
const MAX_MESSAGES_BETWEEN_PINGS = 5;

/** A peer that does not answer the closing frame within this is cut off. */
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
  /** Adds an accepted socket; the user's oldest one beyond five is closed. */
  add(socket: WebSocket, caller: Caller): void;
  /** Users with at least one open socket here. */
  userIds(): string[];
  sessionIds(): string[];
  /** Sends to every socket of a user; one that does not read what it gets is dropped. */
  send(userId: string, message: SocketMessage): void;
  /** Closes the sockets of a session that has ended. */
  endSession(sessionId: string): void;
  /** Asks every socket for a sign of life and drops those that gave none twice. */
  ping(): void;
  /** Closes everything: the server stops. */
  close(): void;
}

/** No sockets yet. */
export function createConnections(): Connections {
  const open = new Set<Connection>();
  const of = (test: (caller: Caller) => boolean) => [...open].filter((one) => test(one.caller));

  const end = (one: Connection, code: number) => {
    open.delete(one);
    one.socket.close(code);
    setTimeout(() => one.socket.terminate(), CLOSE_TIMEOUT_MS).unref();
  };

  return {
    add(socket, caller) {
      const one: Connection = { socket, caller, unanswered: 0, received: 0 };
      open.add(one);
      socket.on('close', () => open.delete(one));
      // A frame that is too large or broken ends the connection by itself.
      socket.on('error', () => {});
      socket.on('pong', () => {
        one.unanswered = 0;
      });
      socket.on('message', () => {
        one.received += 1;
        if (one.received > MAX_MESSAGES_BETWEEN_PINGS) end(one, POLICY_VIOLATION);
      });
      const [oldest, ...others] = of(({ userId }) => userId === caller.userId);
      if (oldest && others.length >= MAX_PER_USER) end(oldest, SOCKET_CLOSE_CODES.too_many);
    },
    userIds: () => [...new Set([...open].map((one) => one.caller.userId))],
    sessionIds: () => [...new Set([...open].map((one) => one.caller.sessionId))],
    send(userId, message) {
      const text = JSON.stringify(message);
      for (const { socket } of of((caller) => caller.userId === userId)) {
        if (socket.bufferedAmount > MAX_BUFFERED_BYTES) socket.terminate();
        else socket.send(text);
      }
    },
    endSession(sessionId) {
      for (const one of of((caller) => caller.sessionId === sessionId))
        end(one, SOCKET_CLOSE_CODES.signed_out);
    },
    ping() {
      for (const one of open) {
        if (one.unanswered >= MAX_UNANSWERED_PINGS) one.socket.terminate();
        one.unanswered += 1;
        one.received = 0;
        one.socket.ping();
      }
    },
    close() {
      for (const one of open) end(one, GOING_AWAY);
    },
  };
}
