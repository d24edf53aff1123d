import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { AppError } from '#contract/errors.ts';
import { hookRoutes } from '#contract/hooks.ts';
import type { Deps } from '../deps.ts';
import type { ServeOptions } from '../http/serve.ts';
import { isReadOnlyByPlan, projectReadOnlyByPlan } from '../identity/plan-access.ts';
import { consume } from '../rate-limit/rate-limiter.ts';
import { findHook } from './queries.ts';
import { createHmacSigner, isAuthentic } from './webhook-signature.ts';

/** Limit per project, against senders in a retry loop. */
const DELIVERY_LIMIT = { max: 60, seconds: 60 };

/** Headers that name the event. */
const EVENT_HEADERS = ['x-github-event', 'x-gitea-event', 'x-gitlab-event', 'sentry-hook-resource'];

const { bodyLimit } = hookRoutes.push;

type Hook = NonNullable<Awaited<ReturnType<typeof findHook>>>;

/** Expected signature of a body, and the body when it is needed. */
interface SignedBody {
  signature: string;
  body: Buffer;
}

/**
 * Authenticates webhooks: the hook is looked up before the body is read, and the HMAC is computed while streaming;
 * the body is buffered only when needed.
 */
export function createWebhookReceiver(deps: Deps) {
  const hooks = new WeakMap<FastifyRequest, Hook>();

  const onRequest = async (request: FastifyRequest) => {
    const hook = await findHook(deps, (request.params as { id: string }).id);
    if (!hook) throw hookNotFound();
    if (Number(request.headers['content-length'] ?? 0) > bodyLimit) throw bodyTooLarge();
    hooks.set(request, hook);
  };

  return {
    options({ needsBody }: { needsBody: boolean }): ServeOptions {
      const readBody = (request: FastifyRequest, body: Readable) =>
        readAndSign(body, hooks.get(request)!.secret, needsBody);
      return { onRequest, readBody };
    },

    /** Returns the hook, body and event name. Throws `not_found` unless the signature or secret is valid, `plan_limit` for a read-only project. */
    async authenticate(request: FastifyRequest) {
      const { headers } = request;
      const hook = hooks.get(request)!;
      const { signature, body } = (request.body as SignedBody | undefined) ?? emptyBody(hook.secret);
      if (!isAuthentic(headers, signature, hook.secret)) throw hookNotFound();
      await consume(deps, `hook:${hook.project_id}`, DELIVERY_LIMIT);
      if (await isReadOnlyByPlan(deps, hook.project_id)) throw projectReadOnlyByPlan();
      const eventName = EVENT_HEADERS.map((name) => headers[name]).find((value) => typeof value === 'string');
      return { hook, body, eventName: String(eventName ?? 'unknown').slice(0, 60) };
    },
  };
}

async function readAndSign(stream: Readable, secret: string, needsBody: boolean): Promise<SignedBody> {
  const signer = createHmacSigner(secret);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bodyLimit) throw bodyTooLarge();
    signer.update(chunk);
    if (needsBody) chunks.push(chunk);
  }
  return { signature: signer.digest('hex'), body: Buffer.concat(chunks) };
}

function emptyBody(secret: string): SignedBody {
  return { signature: createHmacSigner(secret).digest('hex'), body: Buffer.alloc(0) };
}

function bodyTooLarge(): AppError {
  return new AppError('too_large', 'webhook_too_large');
}

/** Same error for an unknown project, a missing hook and a wrong secret. */
function hookNotFound(): AppError {
  return new AppError('not_found', 'webhook_not_found');
}
