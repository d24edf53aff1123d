import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { ActiveJob, AdminQueue, DeadJob } from '#contract/admin.ts';
import { api } from '../api.ts';
import { read } from '../query.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { Loaded } from './loaded.tsx';
import { Table } from './table.tsx';

const EVERY_MS = 10_000;

/** Work in the background, and what failed for good. */
export function JobList() {
  const jobs = useQuery({ ...read('GET /admin/jobs'), staleTime: 0, refetchInterval: EVERY_MS });
  return (
    <Loaded query={jobs}>
      {({ queues, active, dead }) => (
        <div className="flex flex-col gap-8">
          <DeadJobs jobs={dead} />
          <ActiveJobs jobs={active} />
          <Queues queues={queues} />
        </div>
      )}
    </Loaded>
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
          { name: t('jobs.waiting'), numbers: true },
          { name: t('jobs.running'), numbers: true },
          { name: t('jobs.dead_count'), numbers: true },
        ]}
        rows={queues.map(({ name, waiting, running, dead }) => ({
          key: name,
          cells: [<code key="name">{name}</code>, waiting, running, dead],
        }))}
      />
    </section>
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
        <ul className="border-b border-rule">
          {jobs.map((job) => (
            <ActiveRow key={job.id} job={job} />
          ))}
        </ul>
      )}
    </section>
  );
}

function ActiveRow({ job }: { job: ActiveJob }) {
  const { t } = useTranslation('admin');
  const client = useQueryClient();
  const stop = useMutation({
    mutationFn: () => api('POST /admin/jobs/:queue/:id/stop', { params: { queue: job.queue, id: job.id } }),
    onSettled: () => client.invalidateQueries({ queryKey: read('GET /admin/jobs').queryKey }),
  });
  const about = Object.entries(job.about).map(([name, value]) => `${name} ${value}`);
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 border-t border-rule py-2">
      <div className="min-w-0 flex-1 basis-72">
        <p>
          <code>{job.queue}</code> <RelativeTime at={job.started_at} className="text-muted" />
        </p>
        {about.length > 0 && <p className="text-sm wrap-anywhere text-muted">{about.join(', ')}</p>}
        {stop.error && (
          <Notice kind="error" className="mt-2">
            {stop.error.message}
          </Notice>
        )}
      </div>
      <Button size="small" loading={stop.isPending} onClick={() => stop.mutate()}>
        {t('jobs.stop')}
      </Button>
    </li>
  );
}

function DeadJobs({ jobs }: { jobs: DeadJob[] }) {
  const { t } = useTranslation('admin');
  return (
    <section>
      <h2 className="mb-2">{t('jobs.dead')}</h2>
      {jobs.length === 0 ? (
        <p className="text-muted">{t('jobs.none')}</p>
      ) : (
        <ul className="border-b border-rule">
          {jobs.map((job) => (
            <DeadRow key={job.id} job={job} />
          ))}
        </ul>
      )}
    </section>
  );
}

function DeadRow({ job }: { job: DeadJob }) {
  const { t } = useTranslation('admin');
  const client = useQueryClient();
  const params = { queue: job.queue, id: job.id };
  const settle = {
    onSettled: () => client.invalidateQueries({ queryKey: read('GET /admin/jobs').queryKey }),
  };
  const retry = useMutation({
    mutationFn: () => api('POST /admin/jobs/:queue/:id/retry', { params }),
    ...settle,
  });
  const drop = useMutation({ mutationFn: () => api('DELETE /admin/jobs/:queue/:id', { params }), ...settle });
  const failure = retry.error ?? drop.error;
  const about = Object.entries(job.about).map(([name, value]) => `${name} ${value}`);
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 border-t border-rule py-2">
      <div className="min-w-0 flex-1 basis-72">
        <p>
          <code>{job.queue}</code> <RelativeTime at={job.failed_at} className="text-muted" />
        </p>
        <p className="wrap-anywhere">{job.error ?? t('jobs.no_reason')}</p>
        {about.length > 0 && <p className="text-sm wrap-anywhere text-muted">{about.join(', ')}</p>}
        {failure && (
          <Notice kind="error" className="mt-2">
            {failure.message}
          </Notice>
        )}
      </div>
      <div className="flex gap-2">
        <Button size="small" loading={retry.isPending} onClick={() => retry.mutate()}>
          {t('jobs.retry')}
        </Button>
        <Button size="small" loading={drop.isPending} onClick={() => drop.mutate()}>
          {t('jobs.drop')}
        </Button>
      </div>
    </li>
  );
}
