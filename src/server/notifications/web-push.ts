import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { PushSubscription } from '#contract/notifications.ts';
import { newId } from '#db/ids.ts';
import type { Database } from '#db/schema.ts';
import { sendMessage } from '#egress/send-message.ts';
import { createBox } from '#secrets/box.ts';
import type { Deps } from '../deps.ts';

type PushDeps = Pick<Deps, 'db' | 'keys'>;

const VAPID_SETTING = 'push keys';
/** The oldest subscription is deleted beyond this. */
const MAX_SUBSCRIPTIONS_PER_USER = 20;
/** Push services hold a message this long for an offline browser. */
const PUSH_TTL_S = 24 * 3600;
/** Push services refuse payloads over 4 KB, and longer texts do not fit on a screen. */
const MAX_TEXT_LENGTH = 300;

interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

/** Notification shown by a browser. */
interface PushMessage {
  title: string;
  body: string;
  /** Path within this application. */
  url: string;
}

/** Loads the VAPID key pair (RFC 8292), created at first use. */
export async function loadVapidKeys({ db, keys }: PushDeps): Promise<VapidKeys> {
  const box = createBox(keys, VAPID_SETTING);
  const find = () =>
    db.selectFrom('settings').select('value').where('key', '=', VAPID_SETTING).executeTakeFirst() as Promise<
      { value: { publicKey: string; sealed: string } } | undefined
    >;
  let stored = await find();
  if (!stored) {
    const { publicKey, privateKey } = (await loadWebPush()).generateVAPIDKeys();
    const value = JSON.stringify({ publicKey, sealed: box.seal(privateKey, publicKey) });
    await db
      .insertInto('settings')
      .values({ key: VAPID_SETTING, value })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    // A concurrent process may have inserted its pair first.
    stored = (await find())!;
  }
  const { publicKey, sealed } = stored.value;
  return { publicKey, privateKey: box.open(sealed, publicKey) };
}

/** Saves the push subscription of a browser, valid as long as its session. */
export async function savePushSubscription(
  { db, keys }: PushDeps,
  { userId, sessionId }: { userId: string; sessionId: string },
  subscription: PushSubscription,
): Promise<void> {
  const digest = digestOf(subscription.endpoint);
  const sealed = createBox(keys, 'push').seal(JSON.stringify(subscription), digest);
  const values = { user_id: userId, session_id: sessionId, sealed };
  await db
    .insertInto('push_subscriptions')
    .values({ id: newId(), digest, ...values })
    .onConflict((conflict) => conflict.column('digest').doUpdateSet(values))
    .execute();
  const newest = db
    .selectFrom('push_subscriptions')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(MAX_SUBSCRIPTIONS_PER_USER);
  await db
    .deleteFrom('push_subscriptions')
    .where('user_id', '=', userId)
    .where('id', 'not in', newest)
    .execute();
}

/** Deletes a push subscription of the user. */
export async function deletePushSubscription(
  db: Kysely<Database>,
  userId: string,
  endpoint: string,
): Promise<void> {
  await db
    .deleteFrom('push_subscriptions')
    .where('user_id', '=', userId)
    .where('digest', '=', digestOf(endpoint))
    .execute();
}

/**
 * Sends an encrypted message to all subscribed browsers with an active session; expired subscriptions are deleted.
 * Throws the last error after trying all: the tag deduplicates retries.
 */
export async function sendPush(
  deps: Pick<Deps, 'db' | 'keys' | 'egress' | 'config' | 'now'>,
  userId: string,
  message: PushMessage & { tag: string },
): Promise<void> {
  const rows = await deps.db
    .selectFrom('push_subscriptions as p')
    .innerJoin('sessions as s', 's.id', 'p.session_id')
    .where('p.user_id', '=', userId)
    .where('s.revoked_at', 'is', null)
    .where('s.expires_at', '>', deps.now())
    .select(['p.id', 'p.digest', 'p.sealed'])
    .execute();
  if (rows.length === 0) return;
  const vapidKeys = await loadVapidKeys(deps);
  const box = createBox(deps.keys, 'push');
  let lastError: unknown = null;
  for (const { id, digest, sealed } of rows) {
    const subscription = JSON.parse(box.open(sealed, digest)) as PushSubscription;
    try {
      if (await sendToEndpoint(deps, vapidKeys, subscription, message)) {
        await deps.db.deleteFrom('push_subscriptions').where('id', '=', id).execute();
      }
    } catch (error) {
      lastError = error;
    }
  }
  if (lastError !== null) throw lastError;
}

/** Sends to one browser; true when its subscription no longer exists. */
async function sendToEndpoint(
  { egress, config }: Pick<Deps, 'egress' | 'config'>,
  vapidKeys: VapidKeys,
  subscription: PushSubscription,
  { title, body, url, tag }: PushMessage & { tag: string },
): Promise<boolean> {
  const webPush = await loadWebPush();
  const text = JSON.stringify({
    title: title.slice(0, MAX_TEXT_LENGTH),
    body: body.slice(0, MAX_TEXT_LENGTH),
    url,
    tag,
  });
  const {
    endpoint,
    method,
    headers,
    body: sealed,
  } = webPush.generateRequestDetails(subscription, text, {
    vapidDetails: { subject: vapidSubject(config), ...vapidKeys },
    TTL: PUSH_TTL_S,
    contentEncoding: 'aes128gcm',
  });
  const plainHeaders = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, String(value)]),
  );
  const status = await sendMessage(egress, {
    url: endpoint,
    method,
    headers: plainHeaders,
    body: sealed ?? Buffer.alloc(0),
  });
  if (status === 404 || status === 410) return true;
  if (status >= 300) throw new Error(`A push service answered ${status}.`);
  return false;
}

/** Loads the package at its first use, so that starting takes less time. */
const loadWebPush = async () => (await import('web-push')).default;

/** Contact URL for push services. */
function vapidSubject({ publicUrl, mail }: Deps['config']): string {
  if (publicUrl?.startsWith('https:')) return publicUrl;
  return `mailto:${/<([^<>\s]+)>\s*$/.exec(mail.from)?.[1] ?? mail.from}`;
}

function digestOf(endpoint: string): string {
  return createHash('sha256').update(endpoint).digest('base64url');
}
