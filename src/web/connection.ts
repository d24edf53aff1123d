import { useSyncExternalStore } from 'react';

/** `offline`: this device has no network; `unreachable`: the server did not answer the last call. */
type Connection = 'ok' | 'offline' | 'unreachable';

let reachable = true;
const subscribers = new Set<() => void>();

/** Records that a call was answered, by whatever status, or that it was not. */
export function reportReachable(answered: boolean): void {
  if (answered === reachable) return;
  reachable = answered;
  for (const changed of subscribers) changed();
}

/** State of the connection to the server. */
export function useConnection(): Connection {
  return useSyncExternalStore(subscribe, read);
}

function read(): Connection {
  if (!navigator.onLine) return 'offline';
  return reachable ? 'ok' : 'unreachable';
}

function subscribe(changed: () => void): () => void {
  subscribers.add(changed);
  addEventListener('online', changed);
  addEventListener('offline', changed);
  return () => {
    subscribers.delete(changed);
    removeEventListener('online', changed);
    removeEventListener('offline', changed);
  };
}
