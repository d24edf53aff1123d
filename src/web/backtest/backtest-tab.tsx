import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiReply } from '#contract/api.ts';
import type { Project } from '#contract/projects.ts';
import { api } from '../api.ts';
import { SentenceText } from '../parts/sentence-text.tsx';
import { read } from '../query.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Notice } from '../ui/notice.tsx';
import { Segments } from '../ui/segments.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Calibration } from './calibration.tsx';
import { Cases } from './cases.tsx';
import { HitRates } from './hit-rates.tsx';
import { Progress } from './progress.tsx';

export type Backtest = NonNullable<ApiReply<'GET /projects/:id/backtest'>['backtest']>;

const POLL_MS = 2_000;
const AMOUNTS = { 20: '20', 50: '50', 100: '100', 200: '200' } as const;
type Amount = keyof typeof AMOUNTS;

/** How well this project's past faults would have been answered, measured by replaying its fixes. */
export function BacktestTab({ project }: { project: Project }) {
  const { t } = useTranslation('backtest');
  const input = { params: { id: project.id } };
  const cache = useQueryClient();
  const options = read('GET /projects/:id/backtest', input);
  const { data, error, refetch } = useQuery({
    ...options,
    refetchInterval: ({ state }) => (state.data?.backtest?.state === 'running' ? POLL_MS : false),
  });
  const start = useMutation({
    mutationFn: (fixes: number) => api('POST /projects/:id/backtest', { ...input, body: { fixes } }),
    onSuccess: (backtest) => cache.setQueryData(options.queryKey, { backtest }),
  });

  if (!data && error) {
    return (
      <Notice kind="error" onRetry={() => refetch()}>
        {error.message}
      </Notice>
    );
  }
  if (!data) return <Skeleton rows={['52%', '70%', '44%', '61%']} />;
  const { backtest } = data;
  const runs = backtest?.state === 'running';
  const controls = project.role !== 'viewer' && (
    <Controls busy={runs || start.isPending} onStart={(fixes) => start.mutate(fixes)} />
  );
  return (
    <section>
      <header className="mb-6 flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
        <div className="max-w-[68ch]">
          <h2>{t('title')}</h2>
          <p className="mt-1 text-muted">{t('lead')}</p>
        </div>
        {backtest && controls}
      </header>
      {start.error && (
        <Notice kind="error" className="mb-6">
          {start.error.message}
        </Notice>
      )}
      {backtest === null && (
        <Empty title={t('empty.title')} action={controls}>
          {t(project.role === 'viewer' ? 'empty.viewer' : 'empty.text')}
        </Empty>
      )}
      {backtest && <Result backtest={backtest} project={project} />}
    </section>
  );
}

function Controls({ busy, onStart }: { busy: boolean; onStart: (fixes: number) => void }) {
  const { t } = useTranslation('backtest');
  const [amount, setAmount] = useState<`${Amount}`>('50');
  return (
    <div className="flex flex-wrap items-end gap-3">
      <Segments legend={t('amount')} options={AMOUNTS} value={amount} onChange={setAmount} />
      <Button kind="primary" loading={busy} onClick={() => onStart(Number(amount))}>
        {t(busy ? 'running' : 'run')}
      </Button>
    </div>
  );
}

function Result({ backtest, project }: { backtest: Backtest; project: Project }) {
  const { t } = useTranslation('backtest');
  if (backtest.state === 'running') return <Progress backtest={backtest} />;
  if (backtest.failure || backtest.figures === null) {
    return (
      <Notice kind="error">
        {backtest.failure ? <SentenceText sentence={backtest.failure} /> : t('failed')}
      </Notice>
    );
  }
  if (backtest.cases.length === 0) return <Empty title={t('none.title')}>{t('none.text')}</Empty>;
  const { files, functions, causes, calibration } = backtest.figures;
  return (
    <>
      <Facts backtest={backtest} />
      <Block title={t('hits.title')} text={t('hits.text')}>
        <HitRates rates={{ files, functions, causes }} />
      </Block>
      <Block title={t('calibration.title')} text={t('calibration.text')}>
        <Calibration calibration={calibration} />
      </Block>
      <Block title={t('cases.title')} text={t('cases.text')}>
        <Cases cases={backtest.cases} projectId={project.id} />
      </Block>
    </>
  );
}

function Facts({ backtest }: { backtest: Backtest }) {
  const { t, i18n } = useTranslation('backtest');
  const number = new Intl.NumberFormat(i18n.language);
  return (
    <p className="mb-8 flex flex-wrap gap-x-4 text-muted">
      <span>{t('facts.fixes', { count: backtest.cases.length })}</span>
      <span>{t('facts.seconds', { value: number.format(backtest.seconds ?? 0) })}</span>
      <span>
        {t('facts.commit')} <code>{backtest.commit.slice(0, 7)}</code>
      </span>
      {backtest.seed !== null && <span>{t('facts.seed', { value: String(backtest.seed) })}</span>}
    </p>
  );
}

function Block({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <section className="mb-10">
      <h3 className="font-semibold">{title}</h3>
      <p className="mt-0.5 mb-3 max-w-[68ch] text-muted">{text}</p>
      {children}
    </section>
  );
}
