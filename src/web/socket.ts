import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useEffectEvent, useState } from 'react';
import type { ApiReply } from '#contract/api.ts';
import type { SocketMessage } from '#contract/events.ts';
import { api } from './api.ts';
import { read } from './query.ts';

type MessageOf<T extends SocketMessage['type']> = Extract<SocketMessage, { type: T }>;
type Listener = (message: SocketMessage) => void;

/** The open line to the server: whoever listens hears every message, in order. */
export interface Socket {
  listen(listener: Listener): () => void;
  close(): void;
}

const FIRST_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 60_000;

/** When to try again after the `failures`th failure in a row: 5 s, then doubling to a minute, spread by a quarter. */
export function retryDelay(failures: number, random: number): number {
  const delay = Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LONGEST_RETRY_MS);
  return failures === 1 ? delay : delay * (0.75 + random / 2);
}

/**
 * Opens `/ws/notifications` with a one-time ticket and keeps it open. `onReopen` is called when the line is back
 * after a gap, in which messages may have been missed.
 */
export function openSocket({ onReopen }: { onReopen: () => void }): Socket {
  const listeners = new Set<Listener>();
  let line: WebSocket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let opened = false;
  let closed = false;

  const retry = () => {
    if (closed) return;
    failures += 1;
    timer = setTimeout(() => void connect(), retryDelay(failures, Math.random()));
  };

  const connect = async () => {
    try {
      const { ticket } = await api('POST /auth/ws-ticket');
      if (closed) return;
      line = new WebSocket(socketAddress(ticket));
    } catch {
      retry();
      return;
    }
    line.onopen = () => {
      failures = 0;
      if (opened) onReopen();
      opened = true;
    };
    line.onmessage = ({ data }) => {
      const message = JSON.parse(String(data)) as SocketMessage;
      for (const listener of listeners) listener(message);
    };
    line.onclose = retry;
  };

  void connect();
  return {
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      closed = true;
      clearTimeout(timer);
      line?.close();
    },
  };
}

function socketAddress(ticket: string): string {
  const url = new URL('/ws/notifications', location.origin);
  url.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
  url.searchParams.set('token', ticket);
  return url.href;
}

/** Given by the shell while somebody is signed in. */
export const SocketContext = createContext<Socket | null>(null);

/** Opens the line for as long as somebody is signed in, and lets it patch the cache of calls. */
export function useOpenSocket(signedIn: boolean): Socket | null {
  const client = useQueryClient();
  const [socket, setSocket] = useState<Socket | null>(null);
  useEffect(() => {
    if (!signedIn) return;
    const opened = openSocket({ onReopen: () => void client.invalidateQueries() });
    opened.listen((message) => patchCache(client, message));
    setSocket(opened);
    return () => opened.close();
  }, [client, signedIn]);
  return socket;
}

/** Calls `fn` with every message of one type while the component is shown. */
export function useSocket<T extends SocketMessage['type']>(
  type: T,
  fn: (message: MessageOf<T>) => void,
): void {
  const socket = useContext(SocketContext);
  const hear = useEffectEvent((message: SocketMessage) => {
    if (message.type === type) fn(message as MessageOf<T>);
  });
  useEffect(() => socket?.listen((message) => hear(message)), [socket]);
}

/** Brings projects and the count of notifications in the cache up to date, without asking the server again. */
export function patchCache(client: QueryClient, message: SocketMessage): void {
  const list = read('GET /projects').queryKey;
  if (message.type === 'project_update') {
    const { project } = message;
    client.setQueryData(read('GET /projects/:id', { params: { id: project.id } }).queryKey, project);
    client.setQueryData<ApiReply<'GET /projects'>>(list, (projects) =>
      projects?.map((known) => (known.id === project.id ? project : known)),
    );
  }
  if (message.type === 'notification_count_update') {
    client.setQueryData(read('GET /notifications/unread-count').queryKey, { count: message.count });
    void client.invalidateQueries({ queryKey: ['GET /notifications'] });
  }
  if (message.type === 'project_removed') {
    client.removeQueries({
      queryKey: read('GET /projects/:id', { params: { id: message.project_id } }).queryKey,
    });
    client.setQueryData<ApiReply<'GET /projects'>>(list, (projects) =>
      projects?.filter((known) => known.id !== message.project_id),
    );
  }
}
