import type { JobContext, JobDefinition } from '#db/job-queue.ts';
import type { Metrics } from './metrics.ts';

/** Wraps a job so that the time and the outcome of each run are measured. */
export function measureJob<T extends object>(job: JobDefinition<T>, metrics: Metrics): JobDefinition<T> {
  return {
    ...job,
    async run(data: T, context: JobContext) {
      const stop = metrics.jobDuration.startTimer({ queue: job.name });
      try {
        await job.run(data, context);
        stop({ outcome: 'done' });
      } catch (error) {
        stop({ outcome: context.signal.aborted ? 'aborted' : 'failed' });
        throw error;
      }
    },
  };
}
