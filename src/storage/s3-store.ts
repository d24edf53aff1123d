import { setTimeout as sleep } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { AppError } from '#contract/errors.ts';
import { createOriginFetch, FetchFailure } from '#egress/origin-fetch.ts';
import { contentHash, MAX_OBJECT_BYTES, type ObjectInfo, type ObjectStore } from './object-store.ts';
import { parseListing } from './s3-listing.ts';

/** A bucket and the credentials for it. */
interface S3Settings {
  /** URL of the bucket: `https://host/bucket`, or `https://bucket.host` where the service names buckets by host. */
  url: string;
  region: string;
  accessKey: string;
  secretKey: string;
}

/** Time limits of a request; `firstByteMs` includes sending the body. */
const LIMITS = { connectMs: 10_000, firstByteMs: 60_000, idleMs: 30_000, maxBytes: 2 * MAX_OBJECT_BYTES };
const MAX_ATTEMPTS = 4;
const FIRST_RETRY_MS = 200;
/** Bytes of a refusal that are read for its reason. */
const MAX_REFUSAL_BYTES = 4096;

interface S3Request {
  method: 'GET' | 'PUT' | 'HEAD' | 'DELETE';
  key?: string;
  query?: Record<string, string>;
  body?: Buffer;
  signal: AbortSignal | undefined;
}

/**
 * Creates a store in a bucket of an S3-compatible service. Requests go to its origin alone, without redirects; failures of the
 * network and of an overloaded service are retried. Signatures cover the content, so that a damaged upload is refused.
 */
export function createS3Store(settings: S3Settings, limits = LIMITS): ObjectStore {
  const base = new URL(settings.url);
  const root = base.pathname.replace(/\/+$/, '');
  const call = createOriginFetch(base.origin, limits);
  const name = base.host + root;

  const send = async ({ method, key, query, body, signal }: S3Request): Promise<Response> => {
    const url = new URL(base.origin + (key === undefined ? root || '/' : `${root}/${key}`));
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    const signed = await new AwsV4Signer({
      ...{ method, url: url.href, service: 's3', region: settings.region },
      ...{ accessKeyId: settings.accessKey, secretAccessKey: settings.secretKey },
      headers: { 'x-amz-content-sha256': contentHash(body ?? Buffer.alloc(0)) },
    }).sign();
    return await call(signed.url, {
      ...{ method, headers: signed.headers },
      ...(body && { body: new Uint8Array(body.buffer as ArrayBuffer, body.byteOffset, body.length) }),
      ...(signal && { signal }),
    });
  };

  /** Sends a request until it is answered, and reads the reply with `read`. */
  const request = async <T>(details: S3Request, read: (reply: Response) => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      details.signal?.throwIfAborted();
      try {
        const reply = await send(details);
        if (reply.ok || reply.status === 404) return await read(reply);
        const reason = await readRefusal(reply);
        if (!isTemporary(reply.status) || attempt === MAX_ATTEMPTS) throw refused(name, reply.status, reason);
      } catch (error) {
        details.signal?.throwIfAborted();
        if (!(error instanceof FetchFailure)) throw error;
        if (error.reason === 'too_large' || attempt === MAX_ATTEMPTS) throw unreachable(name, error);
      }
      await sleep(FIRST_RETRY_MS * 2 ** (attempt - 1) * (0.5 + Math.random()), undefined, {
        signal: details.signal,
      });
    }
  };

  return {
    name,
    async put(key, body, signal) {
      await request({ method: 'PUT', key, body, signal }, async (reply) => {
        const reason = await readRefusal(reply);
        if (!reply.ok) throw refused(name, reply.status, reason);
      });
    },
    get: (key, signal) =>
      request({ method: 'GET', key, signal }, async (reply) =>
        reply.ok ? await readBody(reply) : await nullUnlessRefused(name, reply),
      ),
    head: (key, signal) =>
      request({ method: 'HEAD', key, signal }, async (reply) => {
        await reply.body?.cancel();
        if (!reply.ok) return null;
        const modified = new Date(reply.headers.get('last-modified') ?? Number.NaN);
        return { bytes: Number(reply.headers.get('content-length')), modified };
      }),
    async delete(key, signal) {
      await request({ method: 'DELETE', key, signal }, readRefusal);
    },
    async *list(folder, signal) {
      let next: string | null = null;
      do {
        const query: Record<string, string> = {
          'list-type': '2',
          ...(folder !== null && { prefix: `${folder}/` }),
          ...(next !== null && { 'continuation-token': next }),
        };
        const listing: { objects: ObjectInfo[]; next: string | null } = await request(
          { method: 'GET', query, signal },
          async (reply) => {
            if (!reply.ok) throw refused(name, reply.status, await readRefusal(reply));
            return parseListing(await reply.text());
          },
        );
        yield* listing.objects;
        next = listing.next;
      } while (next !== null);
    },
  };
}

/** Reads a whole body. A shorter one than announced counts as a failure of the network. */
async function readBody(reply: Response): Promise<Buffer> {
  const expected = reply.headers.get('content-length');
  const content = Buffer.from(await reply.arrayBuffer());
  if (expected !== null && Number(expected) !== content.length) throw new FetchFailure('broken_off');
  return content;
}

/** A missing object is null; a missing bucket is a refusal. */
async function nullUnlessRefused(name: string, reply: Response): Promise<null> {
  const reason = await readRefusal(reply);
  if (reason === 'NoSuchBucket') throw refused(name, reply.status, reason);
  return null;
}

/** Reads the code of a refusal, such as `SlowDown`; empty where there is none. */
async function readRefusal(reply: Response): Promise<string> {
  const text = (await reply.text()).slice(0, MAX_REFUSAL_BYTES);
  return /<Code>([\w.-]{1,60})<\/Code>/.exec(text)?.[1] ?? '';
}

function isTemporary(status: number): boolean {
  return status >= 500 || status === 429 || status === 408;
}

/** The status goes to the log alone: clients take some numbers for their own sign-in. */
function refused(store: string, status: number, reason: string): AppError {
  return new AppError('unavailable', 'object_store_refused', {
    params: { reason: reason || 'UnknownReason' },
    reason: 'object_store_refused',
    cause: new Error(`${store} answered with status ${status}.`),
  });
}

function unreachable(store: string, cause: Error): AppError {
  return new AppError('unavailable', 'object_store_unavailable', {
    cause: new Error(`${store}: ${cause.message}`, { cause }),
    retryAfter: 5,
  });
}
