import { api } from './api.ts';

/** State of push notifications in this browser. */
type PushState = 'on' | 'off' | 'denied' | 'insecure' | 'unsupported';

const WORKER_URL = '/sw.js';

/** Reads the push state. */
export async function getPushState(): Promise<PushState> {
  if (!window.isSecureContext) return 'insecure';
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) {
    return 'unsupported';
  }
  if (Notification.permission === 'denied') return 'denied';
  return (await getSubscription()) ? 'on' : 'off';
}

/** Requests permission and subscribes. Throws what the browser throws. */
export async function subscribeToPush(): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') return;
  const { public_key } = await api('GET /notifications/push');
  await navigator.serviceWorker.register(WORKER_URL);
  const { pushManager } = await navigator.serviceWorker.ready;
  await saveSubscription(
    await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: public_key }),
  );
}

/** Unsubscribes this browser, on the server first. */
export async function unsubscribeFromPush(): Promise<void> {
  const own = await getSubscription();
  if (!own) return;
  await api('POST /notifications/push/unsubscribe', { body: { endpoint: own.endpoint } });
  await own.unsubscribe();
}

/** Registers the existing subscription for the current session; the former one ended with its session. */
export async function resyncPushSubscription(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const own = await getSubscription();
  if (own) await saveSubscription(own);
}

async function getSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration('/');
  return (await registration?.pushManager?.getSubscription()) ?? null;
}

async function saveSubscription(own: PushSubscription): Promise<void> {
  const { endpoint, keys } = own.toJSON();
  const { p256dh = '', auth = '' } = keys ?? {};
  await api('POST /notifications/push', { body: { endpoint: endpoint ?? '', keys: { p256dh, auth } } });
}
