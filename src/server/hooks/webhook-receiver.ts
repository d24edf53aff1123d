import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { AppError } from '#contract/errors.ts';
import { hookRoutes } from '#contract/hooks.ts';
import type { Deps } from '../deps.ts';
import type { ServeOptions } from '../http/serve.ts';
import { consume } from '../rate-limit/rate-limiter.ts';
import { findHook } from './queries.ts';
import { createHmacSigner, isAuthentic } from './webhook-signature.ts';

/** A sender that repeats itself must not keep the server busy. */
const PER_MINUTE = { max: 60, seconds: 60 };

/** Headers in which senders name their event. */
const EVENT_HEADERS = ['x-github-event', 'x-gitea-event', 'x-gitlab-event', 'sentry-hook-resource'];

const { bodyLimit } = hookRoutes.push;

type Hook = NonNullable<Awaited<ReturnType<typeof findHook>>>;

/** What has arrived of a webhook: the signature that its body must have, and the body where it is used. */
interface Received {
  signed: string;
  body: Buffer;
}

/**
 * Receives webhooks: the hook is looked up before the body is read, the body is signed while it arrives and kept only
 * where its contents matter.
 */
export function createWebhookReceiver(deps: Deps) {
  const hooks = new WeakMap<FastifyRequest, Hook>();

  const onRequest = async (request: FastifyRequest) => {
    const hook = await findHook(deps, (request.params as { id: string }).id);
    if (!hook) throw noHook();
    if (Number(request.headers['content-length'] ?? 0) > bodyLimit) throw tooLarge();
    hooks.set(request, hook);
  };

  return {
    options({ keepsBody }: { keepsBody: boolean }): ServeOptions {
      const readBody = (request: FastifyRequest, body: Readable) =>
        receive(body, hooks.get(request)!.secret, keepsBody);
      return { onRequest, readBody };
    },

    /** The hook and what it was told of. Throws `not_found` unless the sender knows its secret. */
    async admit(request: FastifyRequest) {
      const { headers } = request;
      const hook = hooks.get(request)!;
      const { signed, body } = (request.body as Received | undefined) ?? emptyBody(hook.secret);
      if (!isAuthentic(headers, signed, hook.secret)) throw noHook();
      await consume(deps, `hook:${hook.project_id}`, PER_MINUTE);
      const kind = EVENT_HEADERS.map((name) => headers[name]).find((value) => typeof value === 'string');
      return { hook, body, kind: String(kind ?? 'unknown').slice(0, 60) };
    },
  };
}

async function receive(stream: Readable, secret: string, keepsBody: boolean): Promise<Received> {
  const signer = createHmacSigner(secret);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bodyLimit) throw tooLarge();
    signer.update(chunk);
    if (keepsBody) chunks.push(chunk);
  }
  return { signed: signer.digest('hex'), body: Buffer.concat(chunks) };
}

function emptyBody(secret: string): Received {
  return { signed: createHmacSigner(secret).digest('hex'), body: Buffer.alloc(0) };
}

function tooLarge(): AppError {
  return new AppError('too_large', 'A webhook may have at most 1 MiB.');
}

/** A project that is not there, one without a hook and a wrong secret are the same. */
function noHook(): AppError {
  return new AppError('not_found', 'Nothing is here.');
}
