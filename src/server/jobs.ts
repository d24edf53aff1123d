import type { Logger } from 'pino';
import type { Embedder } from '#assistant/models/embed.ts';
import type { Mailer } from '#mail/mailer.ts';
import { accountPurgeJob } from './account/delete-account.ts';
import { retentionJob } from './admin/retention-tasks.ts';
import { backtestJob } from './backtest/backtest-tasks.ts';
import { pullRequestJob } from './branches/pull-request-tasks.ts';
import { sendPushJob } from './branches/push-tasks.ts';
import { fixedCodeJob } from './dashboard/fixed-code-tasks.ts';
import { deleteErrorEventsJob } from './debug/delete-errors.ts';
import { groupEventsJob } from './debug/group-events-tasks.ts';
import { investigateGroupJob } from './debug/investigate-group-tasks.ts';
import { reportedErrorJob } from './debug/reported-error-tasks.ts';
import { resolutionsJob } from './debug/resolutions.ts';
import { errorUpkeepJob } from './debug/upkeep-tasks.ts';
import type { Deps } from './deps.ts';
import type { ServerJob } from './events.ts';
import { codeAgeJob } from './evolution/code-age-tasks.ts';
import { emailJob } from './identity/account-emails.ts';
import { intakeCleanupJob } from './intake/cleanup-tasks.ts';
import { issueImportJob, issueScheduleJob } from './issues/import-tasks.ts';
import { dailyDigestJob } from './notifications/daily-digest.ts';
import { webhookJob, webhookUpkeepJob } from './notifications/deliver-webhooks.ts';
import { digestJob, pushJob } from './notifications/delivery.ts';
import { watchJob } from './notifications/watch-tasks.ts';
import { salesEmailJob } from './payments/contact-sales.ts';
import { reconciliationJob } from './payments/reconciliation-tasks.ts';
import { changeIndexJob } from './projects/hunk-tasks.ts';
import { ingestJob } from './projects/index-tasks.ts';
import { objectCleanupJob } from './projects/object-tasks.ts';
import type { ProjectJobDeps } from './projects/run-exclusive.ts';
import { scheduledRefreshJob } from './projects/schedule-tasks.ts';
import { embeddingJob } from './projects/vector-tasks.ts';
import { proofJob } from './proofs/proof-tasks.ts';
import { proofUpkeepJob } from './proofs/proof-upkeep-tasks.ts';
import { measureJob } from './telemetry/measure-job.ts';
import { traceJob } from './telemetry/open-telemetry.ts';
import { classifyTestsJob } from './test-runs/tasks.ts';

/** Dependencies of all jobs. */
export type JobDeps = Deps &
  Pick<ProjectJobDeps, 'lock'> & { mailer: Mailer; embedder: Embedder | null; log: Logger };

/** Lists every job of the server. */
export function listJobs(deps: JobDeps): ServerJob[] {
  const { embedder, log } = deps;
  const onFailure = (err: unknown) => log.error({ err }, 'recording an outbound call failed');
  return [
    ingestJob(deps),
    changeIndexJob(deps),
    scheduledRefreshJob(deps),
    objectCleanupJob(deps),
    embeddingJob(deps, { embedder, onFailure }),
    emailJob(deps),
    pushJob(deps),
    digestJob(deps),
    dailyDigestJob(deps),
    watchJob(deps),
    webhookJob(deps, onFailure),
    webhookUpkeepJob(deps),
    backtestJob(deps),
    codeAgeJob(deps),
    reportedErrorJob(deps),
    deleteErrorEventsJob(deps),
    groupEventsJob(deps),
    investigateGroupJob(deps),
    errorUpkeepJob(deps),
    intakeCleanupJob(deps),
    resolutionsJob(deps),
    fixedCodeJob(deps),
    reconciliationJob(deps),
    salesEmailJob(deps),
    accountPurgeJob(deps),
    retentionJob(deps),
    sendPushJob(deps),
    pullRequestJob(deps),
    classifyTestsJob(deps),
    issueImportJob(deps),
    issueScheduleJob(deps),
    proofJob(deps),
    proofUpkeepJob(deps),
  ].filter((job) => job !== null);
}

type RegistryDeps = Pick<Deps, 'jobs' | 'events' | 'metrics' | 'telemetry'>;

/** Registers jobs with the queue, and enqueues them on the events that they follow. */
export function registerJobs(deps: RegistryDeps, list: ServerJob[]): void {
  const { jobs, events, metrics, telemetry } = deps;
  for (const job of list) {
    jobs.define(traceJob(measureJob(job, metrics), telemetry));
    if (!job.afterIndexing) continue;
    events.subscribe('project-indexed', (event) => {
      const payload = job.afterIndexing?.(event) ?? null;
      // Lost requests are covered by the next run of the job.
      if (payload !== null) jobs.send(job.name, payload).catch(() => {});
    });
  }
}
