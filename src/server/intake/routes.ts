import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '#contract/errors.ts';
import { intakeRoutes, type ProjectIntake } from '#contract/intake.ts';
import { API_PREFIX } from '#contract/route.ts';
import { parseSentryEvent } from '#intake/sentry-event.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http/serve.ts';
import { createThrottle } from '../http/throttle.ts';
import { type AccessibleProject, projectAccess } from '../identity/access.ts';
import { clientInfo, recordAuditEvent } from '../identity/audit-log.ts';
import { requireFeature } from '../identity/feature-switches.ts';
import { GROUP_EVENTS_JOB, type GroupEventsJob } from '../project-data/error-intake.ts';
import { acceptEvents } from './accept-events.ts';
import { createDropCounter } from './drop-counter.ts';
import { createEventLimits } from './event-limits.ts';
import { createEventWriter } from './event-writer.ts';
import { createIntakeCache } from './intake-cache.ts';
import { createIntake, findIntake, loadIntakeActivity, rotateKey, updateIntake } from './queries.ts';
import { registerReceivers } from './receive-routes.ts';

/** A burst of events of a project enqueues one job a second. */
const GROUPING_INTERVAL_MS = 1_000;
const FLUSH_INTERVAL_MS = 2_000;

/** Registers the routes of the error intake: its settings, and the endpoints of SDKs and exporters. */
export function registerIntake(app: FastifyInstance, deps: Deps): void {
  const cache = createIntakeCache(deps);
  const drops = createDropCounter(deps.db);
  const requestGrouping = createThrottle(GROUPING_INTERVAL_MS, async (projectId) => {
    // A lost request is repeated by the cleanup job.
    await deps.jobs.send<GroupEventsJob>(GROUP_EVENTS_JOB, { project_id: projectId }).catch((err) => {
      app.log.warn({ err, projectId }, 'enqueueing the grouping of events failed');
    });
  });
  const writer = createEventWriter({
    db: deps.db,
    onStored: (projectIds) => {
      for (const projectId of projectIds) void requestGrouping(projectId);
    },
  });
  const parts = { limits: createEventLimits(deps), writer, drops };
  const flush = () => drops.flush().catch((err) => app.log.warn({ err }, 'counting dropped events failed'));
  const timer = setInterval(() => void flush(), FLUSH_INTERVAL_MS).unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await flush();
  });
  registerReceivers(app, deps, { cache, ...parts });

  const present = async (project: AccessibleProject, request: FastifyRequest): Promise<ProjectIntake> => {
    await drops.flush();
    const [intake, activity] = await Promise.all([
      findIntake(deps.db, project.id),
      loadIntakeActivity(deps.db, project.id),
    ]);
    const base = deps.config.publicUrl ?? `${request.protocol}://${request.host}`;
    const url = `${base}${API_PREFIX}/${project.number}`;
    return {
      dsn: intake ? `${base.replace('://', `://${intake.key}@`)}/${project.number}` : null,
      otlp_endpoint: `${url}/otlp`,
      events_url: `${url}/store/`,
      key: intake?.key ?? null,
      enabled: intake?.enabled ?? false,
      key_created_at: intake?.key_created_at.toISOString() ?? null,
      retention_days: intake?.retention_days ?? 90,
      scrub_defaults: intake?.scrub_defaults ?? true,
      scrub_fields: intake?.scrub_fields ?? [],
      last_event_at: activity.lastEventAt?.toISOString() ?? null,
      counts: activity.counts,
    };
  };

  const audit = async (
    request: FastifyRequest,
    project: AccessibleProject,
    event: 'intake_enabled' | 'intake_disabled' | 'intake_key_rotated' | 'intake_settings_changed',
  ) => {
    cache.clear();
    const userId = request.caller!.userId;
    await recordAuditEvent(deps.db, {
      userId,
      event,
      detail: { project: project.name },
      ...clientInfo(request),
    });
  };

  serve(app, intakeRoutes.get, async ({ caller, params, request }) => {
    return await present(
      await projectAccess(deps, caller, params.id, 'editor', { evenIfReadOnly: true }),
      request,
    );
  });

  serve(app, intakeRoutes.create, async ({ caller, params, request }) => {
    const project = await projectAccess(deps, caller, params.id, 'owner');
    await createIntake(deps.db, project.id, caller.userId);
    await audit(request, project, 'intake_enabled');
    return await present(project, request);
  });

  serve(app, intakeRoutes.update, async ({ caller, params, body, request }) => {
    const project = await projectAccess(deps, caller, params.id, 'owner');
    const before = await findIntake(deps.db, project.id);
    if (!before || !(await updateIntake(deps.db, project.id, body))) throw notSetUp();
    if (body.enabled !== undefined && body.enabled !== before.enabled)
      await audit(request, project, body.enabled ? 'intake_enabled' : 'intake_disabled');
    else await audit(request, project, 'intake_settings_changed');
    return await present(project, request);
  });

  serve(app, intakeRoutes.rotate, async ({ caller, params, request }) => {
    const project = await projectAccess(deps, caller, params.id, 'owner');
    if (!(await rotateKey(deps.db, project.id, deps.now()))) throw notSetUp();
    await audit(request, project, 'intake_key_rotated');
    return await present(project, request);
  });

  serve(app, intakeRoutes.test, async ({ caller, params }) => {
    const project = await projectAccess(deps, caller, params.id, 'editor');
    await requireFeature(deps, 'error_intake');
    const target = await cache.find(String(project.number));
    if (!target?.enabled) throw notSetUp();
    const parse = (event: Buffer, receivedAt: Date) => parseSentryEvent(event, { receivedAt });
    const [id] = await acceptEvents(parts, target, [testEvent()], parse, deps.now());
    return { id: id! };
  });
}

function testEvent(): Buffer {
  const event = {
    event_id: randomUUID(),
    platform: 'other',
    level: 'error',
    environment: 'test',
    fingerprint: ['hindsight-test-event'],
    exception: { values: [{ type: 'TestEvent', value: 'The error intake of this project works.' }] },
  };
  return Buffer.from(JSON.stringify(event));
}

function notSetUp(): AppError {
  return new AppError('conflict', 'intake_not_set_up');
}
