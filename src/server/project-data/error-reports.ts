import type { Deps } from '../deps.ts';

/** The job that investigates an error which was reported from outside. */
export const REPORTED_ERROR_JOB = 'reported-error';

/** What the job is told. */
export interface ReportedErrorJob {
  project_id: string;
  /** In whose name the session is kept. */
  user_id: string;
  error_message: string;
  file_path: string | null;
  additional_context: string | null;
  revision: string | null;
}

/** Has an error investigated and kept as a debug session. */
export async function queueInvestigation({ jobs }: Pick<Deps, 'jobs'>, job: ReportedErrorJob): Promise<void> {
  await jobs.send<ReportedErrorJob>(REPORTED_ERROR_JOB, job);
}
