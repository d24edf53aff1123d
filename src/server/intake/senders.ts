import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { AppError } from '#contract/errors.ts';
import { intakeRoutes } from '#contract/intake.ts';
import type { Route } from '#contract/route.ts';
import { decompress } from '#intake/decompress.ts';
import type { Deps } from '../deps.ts';
import type { ServeOptions } from '../http/serve.ts';
import { projectReadOnlyByPlan } from '../identity/plan-access.ts';
import { consumeIpLimit } from '../rate-limit/rate-limiter.ts';
import { type IntakeParts, outcomeOf } from './accept-events.ts';
import { intakeBusy } from './event-writer.ts';
import type { IntakeCache, IntakeTarget } from './intake-cache.ts';
import { createMemoryBudget, type MemoryLease } from './memory-budget.ts';
import { requireKey, sentKeys } from './sender-key.ts';

const MIB = 2 ** 20;
/** Decompressed events in memory. */
const MEMORY_BUDGET_BYTES = 48 * MIB;
const SWITCHED_OFF_RETRY_S = 600;

/** A request whose project is known and whose key, if it came before the body, was right. */
export interface Sender {
  target: IntakeTarget;
  lease: MemoryLease;
}

/** Authenticates senders before their bodies are read, and counts what fails afterwards. */
export interface Senders {
  options(
    route: Route,
    read: (request: FastifyRequest, body: Readable, sender: Sender) => Promise<unknown>,
  ): ServeOptions;
  /** Runs the work for a request; an error is counted as an event that was dropped. */
  counted<T>(request: FastifyRequest, work: (sender: Sender) => Promise<T>): Promise<T>;
  /** Gives back the memory of a request. */
  release(request: FastifyRequest): void;
}

export function createSenders(
  deps: Deps,
  { cache, ...parts }: IntakeParts & { cache: IntakeCache },
): Senders {
  const senders = new WeakMap<FastifyRequest, Sender>();
  const createLease = createMemoryBudget(MEMORY_BUDGET_BYTES);

  const authenticate = async (request: FastifyRequest, route: Route) => {
    const target = await cache.find((request.params as { number: string }).number);
    if (!target) throw new AppError('not_found', 'intake_number_unknown');
    if (!(await cache.isEnabled())) throw switchedOff();
    if (target.key === null || !target.enabled) throw new AppError('not_found', 'intake_not_set_up');
    const keys = sentKeys(request);
    // The first line of an envelope may carry the key.
    if (keys.length > 0 || route !== intakeRoutes.envelope) requireKey(keys, target.key);
    if (target.readOnlyByPlan) throw projectReadOnlyByPlan();
    senders.set(request, { target, lease: createLease() });
  };

  const counted: Senders['counted'] = async (request, work) => {
    const sender = senders.get(request)!;
    try {
      return await work(sender);
    } catch (error) {
      const outcome = outcomeOf(error);
      if (outcome) parts.drops.add(sender.target.projectId, outcome);
      throw error;
    }
  };

  return {
    counted,
    options: (route, read) => ({
      onRequest: async (request) => {
        await authenticate(request, route).catch(async (error) => {
          await consumeIpLimit(deps, request.ip);
          throw error;
        });
        await counted(request, async ({ target: { projectId } }) => {
          parts.limits.check(projectId);
          if (!parts.writer.hasRoom) throw intakeBusy();
          if (Number(request.headers['content-length'] ?? 0) > route.bodyLimit!)
            throw tooLarge(route.bodyLimit!);
        });
      },
      readBody: (request, body) => counted(request, (sender) => read(request, body, sender)),
    }),
    release: (request) => senders.get(request)?.lease.release(),
  };
}

/** Returns a reader of bodies that are needed as a whole. */
export function readWhole(maxBytes: number) {
  return async ({ headers }: FastifyRequest, body: Readable, { lease }: Sender): Promise<Buffer> => {
    const limits = { maxInputBytes: maxBytes, maxOutputBytes: maxBytes };
    const chunks: Buffer[] = [];
    for await (const chunk of decompress(body, headers['content-encoding'], limits)) {
      lease.reserve(chunk.length);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  };
}

/** Body of a request that `readWhole` has read; empty where there was none. */
export function wholeBody(request: FastifyRequest): Buffer {
  return (request.body as Buffer | undefined) ?? Buffer.alloc(0);
}

function switchedOff(): AppError {
  return new AppError('unavailable', 'error_intake_disabled', {
    reason: 'feature_disabled',
    retryAfter: SWITCHED_OFF_RETRY_S,
  });
}

function tooLarge(bytes: number): AppError {
  return new AppError('too_large', 'intake_too_large', { params: { limit: bytes / MIB } });
}
