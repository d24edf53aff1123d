import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Seconds; from a cached read to the time limit of an answer. */
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Seconds; from an email to the first import of a large repository. */
const JOB_BUCKETS = [0.1, 1, 5, 30, 120, 600, 3600];

/** Metrics of one process, with the state of the whole server as of the last scrape. */
export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Creates the registry of `/metrics`. Labels have few values each: route patterns, queues, states. `process` adds the
 * metrics of Node.js (memory, handles, event-loop delay), which are the same for every registry of a process.
 */
export function createMetrics({ process }: { process: boolean }) {
  const registry = new Registry();
  if (process) collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `hindsight_${name}`, help, labelNames, registers });
  return {
    registry,
    requestDuration: new Histogram({
      name: 'hindsight_http_request_duration_seconds',
      help: 'Time from the request to the end of its reply',
      labelNames: ['method', 'route', 'status'],
      buckets: REQUEST_BUCKETS,
      registers,
    }),
    requestsInFlight: gauge('http_requests_in_flight', 'Requests that are being answered'),
    jobDuration: new Histogram({
      name: 'hindsight_job_duration_seconds',
      help: 'Time of a run of a background job in this process, by its outcome',
      labelNames: ['queue', 'outcome'],
      buckets: JOB_BUCKETS,
      registers,
    }),
    reconciliationFailures: new Counter({
      name: 'hindsight_payment_reconciliation_failures_total',
      help: 'Orders and refunds of this process that could not be reconciled with the payment gateway',
      labelNames: ['kind'],
      registers,
    }),
    jobs: gauge('jobs', 'Background jobs: waiting, running, or dead after their last retry', [
      'queue',
      'state',
    ]),
    oldestJob: gauge('jobs_oldest_waiting_seconds', 'Age of the job that waits longest', ['queue']),
    projects: gauge('projects', 'Projects by state', ['status']),
    projectsBehind: gauge('projects_behind', 'Projects whose index lacks fetched commits'),
    indexLag: gauge(
      'index_lag_commits',
      'Fetched commits that are not indexed, of the project with the most',
    ),
    intakeEvents: gauge('intake_events_today', 'Error events received today (UTC), by outcome', ['outcome']),
    modelTokens: gauge('model_tokens_today', 'Input and output tokens of the language model today (UTC)'),
    modelAnswers: gauge('model_answers_today', 'Answers of the language model today (UTC)'),
    outgoingFailures: gauge('outgoing_failures_hour', 'Failed outgoing requests in the last hour', [
      'purpose',
    ]),
    databaseUp: gauge('database_up', '1 while the database answers, else 0'),
    databaseBytes: gauge('database_bytes', 'Size of the database'),
    diskFree: gauge('disk_free_bytes', 'Free space on the disk of DATA_DIR'),
    diskFull: gauge('disk_full', '1 while writes are refused for lack of disk space'),
    indexCache: gauge('index_cache_bytes', 'Indexes that are held in memory'),
    queueTasks: gauge('request_queue_tasks', 'Requests that wait for a turn or have one, by resource', [
      'queue',
      'state',
    ]),
    sockets: gauge('websockets', 'Open WebSockets of this process'),
  };
}
