import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ApiReply } from '#contract/api.ts';
import type { SocketMessage } from '#contract/events.ts';
import { api } from './api.ts';
import { debugSessionKeys, errorKeys, notificationKeys, projectKeys, proofKeys } from './query-keys.ts';

interface SocketEvents {
  onMessage: (message: SocketMessage) => void;
  onReconnect: () => void;
}

const INITIAL_RETRY_MS = 5_000;
const MAX_RETRY_MS = 60_000;

/** Delay after the `failures`th failure in a row: 5 s, then doubling to a minute, with 25% jitter. */
export function retryDelay(failures: number, random: number): number {
  const delay = Math.min(INITIAL_RETRY_MS * 2 ** (failures - 1), MAX_RETRY_MS);
  return failures === 1 ? delay : delay * (0.75 + random / 2);
}

/**
 * Opens `/ws/notifications` with a one-time ticket and reconnects. `onReconnect` is called after a gap, in which
 * messages may have been missed. Returns a function that closes it.
 */
function openSocket({ onMessage, onReconnect }: SocketEvents): () => void {
  let socket: WebSocket | undefined;
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
      socket = new WebSocket(socketUrl(ticket));
    } catch {
      retry();
      return;
    }
    socket.onopen = () => {
      failures = 0;
      if (opened) onReconnect();
      opened = true;
    };
    socket.onmessage = ({ data }) => onMessage(JSON.parse(String(data)) as SocketMessage);
    socket.onclose = retry;
  };

  void connect();
  return () => {
    closed = true;
    clearTimeout(timer);
    socket?.close();
  };
}

function socketUrl(ticket: string): string {
  const url = new URL('/ws/notifications', location.origin);
  url.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
  url.searchParams.set('token', ticket);
  return url.href;
}

/** Connects while a user is signed in and applies messages to the query cache. */
export function useNotificationSocket(signedIn: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!signedIn) return;
    return openSocket({
      onMessage: (message) => patchCache(client, message),
      onReconnect: () => void client.invalidateQueries(),
    });
  }, [client, signedIn]);
}

/** Applies a socket message to the query cache; errors, which have many lists, are loaded again where they are shown. */
export function patchCache(client: QueryClient, message: SocketMessage): void {
  const list = projectKeys.list;
  if (message.type === 'project_updated') {
    const { project } = message;
    client.setQueryData(projectKeys.detail(project.id), project);
    client.setQueryData<ApiReply<'GET /projects'>>(list, (projects) =>
      projects?.map((known) => (known.id === project.id ? project : known)),
    );
  }
  if (message.type === 'notification_count_update') {
    client.setQueryData(notificationKeys.unreadCount, { count: message.count });
    void client.invalidateQueries({ queryKey: notificationKeys.list });
  }
  if (message.type === 'errors_changed') {
    for (const queryKey of errorKeys.everywhere) void client.invalidateQueries({ queryKey });
  }
  if (message.type === 'proof_updated') {
    void client.invalidateQueries({ queryKey: proofKeys.detail(message.proof_id) });
    // A further run changes nothing in the answer.
    if (message.state !== 'running') {
      void client.invalidateQueries({ queryKey: debugSessionKeys.details });
      void client.invalidateQueries({ queryKey: debugSessionKeys.release });
    }
  }
  if (message.type === 'project_deleted') {
    client.removeQueries({
      queryKey: projectKeys.detail(message.project_id),
    });
    client.setQueryData<ApiReply<'GET /projects'>>(list, (projects) =>
      projects?.filter((known) => known.id !== message.project_id),
    );
  }
}
