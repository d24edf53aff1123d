import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useId, useState } from 'react';
import type { ActiveJob, AdminQueue, DeadJob } from '#contract/admin.ts';
import { api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { adminKeys } from '../query-keys.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { SKELETON_ROWS } from './skeleton-rows.ts';
import { Table } from './table.tsx';

const DiscardJobDialog = lazyComponent(() =>
  import('./discard-job-dialog.tsx').then((module) => module.DiscardJobDialog),
);

const POLL_INTERVAL_MS = 10_000;

/** Queues, running jobs and jobs that failed for good. */
export function JobList() {
  const jobs = useQuery({ ...apiQuery('GET /admin/jobs'), staleTime: 0, refetchInterval: POLL_INTERVAL_MS });
  return (
    <QueryState query={jobs} loading={SKELETON_ROWS}>
      {({ queues, active, dead }) => (
        <div className="flex flex-col gap-8">
          <DeadJobs jobs={dead} />
          <ActiveJobs jobs={active} />
          <Queues queues={queues} />
        </div>
      )}
    </QueryState>
  );
}

function Queues({ queues }: { queues: AdminQueue[] }) {
  const { t } = useTranslation('admin');
  return (
    <section>
      <h2 className="mb-2">{t('jobs.queues')}</h2>
      <Table
        label={t('jobs.queues')}
        columns={[
          { name: t('jobs.kind') },
          { name: t('jobs.waiting'), numeric: true },
          { name: t('jobs.running'), numeric: true },
          { name: t('jobs.dead'), numeric: true },
        ]}
        rows={queues.map(({ name, waiting, running, dead }) => ({
          key: name,
          cells: [
            <span key="name" className="block py-1 whitespace-normal">
              <QueueName queue={name} />
            </span>,
            waiting,
            running,
            dead,
          ],
        }))}
      />
    </section>
  );
}

/** Words for a queue, and its id, which metrics and the log have. */
function QueueName({ queue }: { queue: string }) {
  const { t } = useTranslation('admin');
  return (
    <>
      {t(`jobs.names.${queue}`, { defaultValue: queue })} <code className="text-sm text-muted">{queue}</code>
    </>
  );
}

function ActiveJobs({ jobs }: { jobs: ActiveJob[] }) {
  const { t } = useTranslation('admin');
  return (
    <section>
      <h2 className="mb-2">{t('jobs.active')}</h2>
      {jobs.length === 0 ? (
        <p className="text-muted">{t('jobs.idle')}</p>
      ) : (
        <ul className="border-b border-border">
          {jobs.map((job) => (
            <ActiveJobRow key={job.id} job={job} />
          ))}
        </ul>
      )}
    </section>
  );
}

function ActiveJobRow({ job }: { job: ActiveJob }) {
  const { t } = useTranslation('admin');
  const nameId = useId();
  const client = useQueryClient();
  const stop = useMutation({
    mutationFn: () => api('POST /admin/jobs/:queue/:id/stop', { params: { queue: job.queue, id: job.id } }),
    onSettled: () => client.invalidateQueries({ queryKey: adminKeys.jobs }),
  });
  const subject = Object.entries(job.subject).map(([name, value]) => `${name} ${value}`);
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 border-t border-border py-2">
      <div className="min-w-0 flex-1 basis-72">
        <p id={nameId}>
          <QueueName queue={job.queue} /> <RelativeTime at={job.started_at} className="text-muted" />
        </p>
        {subject.length > 0 && <p className="text-sm wrap-anywhere text-muted">{subject.join(', ')}</p>}
        {stop.error && (
          <Notice kind="error" className="mt-2">
            {stop.error.message}
          </Notice>
        )}
      </div>
      <Button size="small" aria-describedby={nameId} loading={stop.isPending} onClick={() => stop.mutate()}>
        {t('jobs.stop')}
      </Button>
    </li>
  );
}

function DeadJobs({ jobs }: { jobs: DeadJob[] }) {
  const { t } = useTranslation('admin');
  return (
    <section>
      <h2 className="mb-2">{t('jobs.dead_jobs')}</h2>
      {jobs.length === 0 ? (
        <p className="text-muted">{t('jobs.none')}</p>
      ) : (
        <ul className="border-b border-border">
          {jobs.map((job) => (
            <DeadJobRow key={job.id} job={job} />
          ))}
        </ul>
      )}
    </section>
  );
}

function DeadJobRow({ job }: { job: DeadJob }) {
  const { t } = useTranslation('admin');
  const nameId = useId();
  const client = useQueryClient();
  const [isDiscarding, setDiscarding] = useState(false);
  const params = { queue: job.queue, id: job.id };
  const invalidateJobs = {
    onSettled: () => client.invalidateQueries({ queryKey: adminKeys.jobs }),
  };
  const retry = useMutation({
    mutationFn: () => api('POST /admin/jobs/:queue/:id/retry', { params }),
    ...invalidateJobs,
  });
  const drop = useMutation({
    mutationFn: () => api('DELETE /admin/jobs/:queue/:id', { params }),
    ...invalidateJobs,
  });
  const subject = Object.entries(job.subject).map(([name, value]) => `${name} ${value}`);
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 border-t border-border py-2">
      <div className="min-w-0 flex-1 basis-72">
        <p id={nameId}>
          <QueueName queue={job.queue} /> <RelativeTime at={job.failed_at} className="text-muted" />
        </p>
        <p className="wrap-anywhere">{job.error ?? t('jobs.no_reason')}</p>
        {subject.length > 0 && <p className="text-sm wrap-anywhere text-muted">{subject.join(', ')}</p>}
        {retry.error && (
          <Notice kind="error" className="mt-2">
            {retry.error.message}
          </Notice>
        )}
      </div>
      <div className="flex gap-2">
        <Button
          size="small"
          aria-describedby={nameId}
          loading={retry.isPending}
          onClick={() => retry.mutate()}
        >
          {t('jobs.retry')}
        </Button>
        <Button size="small" aria-describedby={nameId} onClick={() => setDiscarding(true)}>
          {t('jobs.discard')}
        </Button>
      </div>
      <Suspense>
        {isDiscarding && (
          <DiscardJobDialog
            isPending={drop.isPending}
            error={drop.error}
            onClose={() => setDiscarding(false)}
            onConfirm={() => drop.mutate(undefined, { onSuccess: () => setDiscarding(false) })}
          />
        )}
      </Suspense>
    </li>
  );
}
