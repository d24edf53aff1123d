import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import webPush from 'web-push';
import type { PushSubscription } from '#contract/notifications.ts';
import { newId } from '#db/ids.ts';
import type { Database } from '#db/schema.ts';
import { send } from '#egress/send.ts';
import { createBox } from '#secrets/box.ts';
import type { Deps } from '../deps.ts';

type Needs = Pick<Deps, 'db' | 'keys'>;

const SETTING = 'push keys';
/** Browsers of one person; the oldest makes room. */
const MOST_BROWSERS = 20;
/** How long a push service keeps a message for a browser that is off. */
const KEPT_S = 24 * 3600;
/** Longer texts do not fit on a screen, and push services refuse more than 4 KB. */
const MOST_CHARACTERS = 300;

interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

/** What a browser shows. */
export interface PushMessage {
  title: string;
  body: string;
  /** A page of this application. */
  url: string;
}

/** The key pair by which push services know this server (VAPID, RFC 8292), made at its first use. */
export async function loadVapidKeys({ db, keys }: Needs): Promise<VapidKeys> {
  const box = createBox(keys, SETTING);
  const find = () =>
    db.selectFrom('settings').select('value').where('key', '=', SETTING).executeTakeFirst() as Promise<
      { value: { publicKey: string; sealed: string } } | undefined
    >;
  let found = await find();
  if (!found) {
    const { publicKey, privateKey } = webPush.generateVAPIDKeys();
    const value = JSON.stringify({ publicKey, sealed: box.seal(privateKey, publicKey) });
    await db
      .insertInto('settings')
      .values({ key: SETTING, value })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    // Of two processes that begin at once, one has made the pair.
    found = (await find())!;
  }
  const { publicKey, sealed } = found.value;
  return { publicKey, privateKey: box.open(sealed, publicKey) };
}

/** Remembers that a browser takes messages, for as long as its sign-in lasts. */
export async function savePushSubscription(
  { db, keys }: Needs,
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
    .limit(MOST_BROWSERS);
  await db
    .deleteFrom('push_subscriptions')
    .where('user_id', '=', userId)
    .where('id', 'not in', newest)
    .execute();
}

/** Forgets a browser of this person. */
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
 * Sends a message, encrypted, to all browsers of a person that are signed in; one that has gone is forgotten. Throws what
 * went wrong last, after all were tried: those that have the message show it once, by its tag.
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
  const own = await loadVapidKeys(deps);
  const box = createBox(deps.keys, 'push');
  let failure: unknown = null;
  for (const { id, digest, sealed } of rows) {
    const subscription = JSON.parse(box.open(sealed, digest)) as PushSubscription;
    try {
      if (await isGone(deps, own, subscription, message)) {
        await deps.db.deleteFrom('push_subscriptions').where('id', '=', id).execute();
      }
    } catch (error) {
      failure = error;
    }
  }
  if (failure !== null) throw failure;
}

/** Sends to one browser; true when its push service knows it no more. */
async function isGone(
  { egress, config }: Pick<Deps, 'egress' | 'config'>,
  own: VapidKeys,
  subscription: PushSubscription,
  { title, body, url, tag }: PushMessage & { tag: string },
): Promise<boolean> {
  const text = JSON.stringify({
    title: title.slice(0, MOST_CHARACTERS),
    body: body.slice(0, MOST_CHARACTERS),
    url,
    tag,
  });
  const {
    endpoint,
    method,
    headers,
    body: sealed,
  } = webPush.generateRequestDetails(subscription, text, {
    vapidDetails: { subject: contact(config), ...own },
    TTL: KEPT_S,
    contentEncoding: 'aes128gcm',
  });
  const plain = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  const status = await send(egress, {
    url: endpoint,
    method,
    headers: plain,
    body: sealed ?? Buffer.alloc(0),
  });
  if (status === 404 || status === 410) return true;
  if (status >= 300) throw new Error(`A push service answered ${status}.`);
  return false;
}

/** Whom a push service may write to about this server. */
function contact({ publicUrl, mail }: Deps['config']): string {
  if (publicUrl?.startsWith('https:')) return publicUrl;
  return `mailto:${/<([^<>\s]+)>\s*$/.exec(mail.from)?.[1] ?? mail.from}`;
}

function digestOf(endpoint: string): string {
  return createHash('sha256').update(endpoint).digest('base64url');
}
