import type { FastifyInstance } from 'fastify';
import { AppError } from '#contract/errors.ts';
import { testRunRoutes } from '#contract/test-runs.ts';
import { parseJunit } from '#test-reports/parse-junit.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http/serve.ts';
import { projectAccess } from '../identity/access.ts';
import { clientInfo, recordAuditEvent } from '../identity/audit-log.ts';
import { classifySuite } from './classify-suite.ts';
import { deleteTestRuns, insertTestRun, listProjectTests, listTestRuns } from './queries.ts';

/** Registers the `testRuns` routes: uploads of JUnit reports, and the tests that are flaky or broken. */
export function registerTestRuns(app: FastifyInstance, deps: Deps): void {
  serve(app, testRunRoutes.upload, async ({ caller, params, query, request }) => {
    const project = await projectAccess(deps, caller, params.id, 'editor');
    const { body } = request;
    if (!Buffer.isBuffer(body) || body.length === 0) throw new AppError('invalid_input', 'junit_no_suite');
    const cases = await parseJunit(body);
    const { commit, branch = null, suite } = query;
    const run = { project_id: project.id, commit, branch, suite, created_by: caller.userId };
    const stored = await insertTestRun(deps.db, run, cases);
    await classifySuite(deps, project, suite);
    const detail = { project: project.name, commit: commit.slice(0, 7) };
    const entry = { userId: caller.userId, event: 'test_run_uploaded', ...clientInfo(request) } as const;
    await recordAuditEvent(deps.db, { ...entry, detail });
    return stored;
  });

  serve(app, testRunRoutes.list, async ({ caller, params, query }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    return await listTestRuns(deps.db, project.id, query);
  });

  serve(app, testRunRoutes.tests, async ({ caller, params, query }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    return await listProjectTests(deps.db, project.id, query);
  });

  serve(app, testRunRoutes.clear, async ({ caller, params, request }) => {
    const project = await projectAccess(deps, caller, params.id, 'owner');
    await deleteTestRuns(deps.db, project.id);
    const entry = { userId: caller.userId, event: 'test_runs_deleted', ...clientInfo(request) } as const;
    await recordAuditEvent(deps.db, { ...entry, detail: { project: project.name } });
    return { ok: true as const };
  });
}
