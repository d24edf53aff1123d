import type { Deps } from '../deps.ts';

/** Name of the job that investigates errors reported by webhooks. */
export const REPORTED_ERROR_JOB = 'reported-error';

/** Payload of the job. */
export interface ReportedErrorJob {
  project_id: string;
  /** Owner of the debug session. */
  user_id: string;
  error_message: string;
  file_path: string | null;
  additional_context: string | null;
  revision: string | null;
}

/** Enqueues the investigation of an error, which is saved as a debug session. */
export async function queueInvestigation({ jobs }: Pick<Deps, 'jobs'>, job: ReportedErrorJob): Promise<void> {
  await jobs.send<ReportedErrorJob>(REPORTED_ERROR_JOB, job);
}
