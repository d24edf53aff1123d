import { api } from './api.ts';

/** Whether this browser shows what the server pushes, or why not. */
export type PushState = 'on' | 'off' | 'denied' | 'insecure' | 'unsupported';

const WORKER_URL = '/sw.js';

/** How things stand in this browser. */
export async function getPushState(): Promise<PushState> {
  if (!window.isSecureContext) return 'insecure';
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) {
    return 'unsupported';
  }
  if (Notification.permission === 'denied') return 'denied';
  return (await getSubscription()) ? 'on' : 'off';
}

/** Asks the reader's leave, and the browser for an address that the server may push to. Throws what the browser throws. */
export async function subscribeToPush(): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') return;
  const { public_key } = await api('GET /notifications/push');
  await navigator.serviceWorker.register(WORKER_URL);
  const { pushManager } = await navigator.serviceWorker.ready;
  await saveSubscription(
    await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: public_key }),
  );
}

/** Ends it here, and says so to the server. */
export async function unsubscribeFromPush(): Promise<void> {
  const own = await getSubscription();
  if (!own) return;
  await api('POST /notifications/push/unsubscribe', { body: { endpoint: own.endpoint } });
  await own.unsubscribe();
}

/** Tells the server of the sign-in that this browser has now; what it was told ended with the one before. */
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
