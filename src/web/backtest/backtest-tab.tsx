import { type UseMutationResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Dices } from 'lucide-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { ApiReply } from '#contract/api.ts';
import type { Project } from '#contract/projects.ts';
import { api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { SentenceText } from '../parts/sentence-text.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Field, Input } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import { CalibrationChart } from './calibration.tsx';
import { CaseTable } from './cases.tsx';
import { HitRates } from './hit-rates.tsx';
import { BacktestProgress } from './progress.tsx';

export type ProjectBacktest = NonNullable<ApiReply<'GET /projects/:id/backtest'>['backtest']>;

const POLL_INTERVAL_MS = 2_000;
/** Largest seed that the server takes. */
const MAX_SEED = 0xffffffff;
const SAMPLE_SIZES = { 20: '20', 50: '50', 100: '100', 200: '200' } as const;
type SampleSize = keyof typeof SAMPLE_SIZES;

/** Fixes to replay: the latest ones, or a sample that a seed draws. */
interface BacktestSample {
  fixes: number;
  seed?: number;
}

/** Accuracy of answers for this project, measured by replaying its past fixes. */
export function BacktestTab({ project }: { project: Project }) {
  const input = { params: { id: project.id } };
  const client = useQueryClient();
  const options = apiQuery('GET /projects/:id/backtest', input);
  const query = useQuery({
    ...options,
    refetchInterval: ({ state }) => (state.data?.backtest?.state === 'running' ? POLL_INTERVAL_MS : false),
  });
  const start = useMutation({
    mutationFn: (body: BacktestSample) => api('POST /projects/:id/backtest', { ...input, body }),
    onSuccess: (backtest) => client.setQueryData(options.queryKey, { backtest }),
  });

  return (
    <QueryState query={query} loading={['52%', '70%', '44%', '61%']}>
      {({ backtest }) => <BacktestView project={project} backtest={backtest} start={start} />}
    </QueryState>
  );
}

interface BacktestViewProps {
  project: Project;
  backtest: ProjectBacktest | null;
  start: Pick<UseMutationResult<ProjectBacktest, Error, BacktestSample>, 'isPending' | 'error' | 'mutate'>;
}

function BacktestView({ project, backtest, start }: BacktestViewProps) {
  const { t } = useTranslation('backtest');
  const isRunning = backtest?.state === 'running';
  const controls = project.role !== 'viewer' && (
    <RunControls
      key={backtest?.id}
      busy={isRunning || start.isPending}
      seed={backtest?.seed ?? null}
      onStart={(sample) => start.mutate(sample)}
    />
  );
  return (
    <section className="max-w-280">
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
        <EmptyState title={t('empty.title')} action={controls}>
          {t(project.role === 'viewer' ? 'empty.viewer' : 'empty.text')}
        </EmptyState>
      )}
      {backtest && <BacktestResult backtest={backtest} project={project} />}
    </section>
  );
}

interface RunControlsProps {
  busy: boolean;
  /** Seed of the run that is shown; null when it took the latest fixes. */
  seed: number | null;
  onStart: (sample: BacktestSample) => void;
}

function RunControls({ busy, seed: shownSeed, onStart }: RunControlsProps) {
  const { t } = useTranslation('backtest');
  const [amount, setAmount] = useState<`${SampleSize}`>('50');
  const [kind, setKind] = useState<'latest' | 'random'>(shownSeed === null ? 'latest' : 'random');
  const [seed, setSeed] = useState(String(shownSeed ?? 1));
  const isSeed = /^\d{1,10}$/.test(seed) && Number(seed) <= MAX_SEED;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (kind === 'latest' || isSeed)
      onStart({ fixes: Number(amount), ...(kind === 'random' && { seed: Number(seed) }) });
  };
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
      <SegmentedControl legend={t('amount')} options={SAMPLE_SIZES} value={amount} onChange={setAmount} />
      <SegmentedControl
        legend={t('sample.label')}
        options={{ latest: t('sample.latest'), random: t('sample.random') }}
        value={kind}
        onChange={setKind}
      />
      {kind === 'random' && (
        <Field label={t('sample.seed')} error={isSeed ? undefined : t('sample.invalid')}>
          <div className="flex gap-1">
            <div className="w-28">
              <Input value={seed} inputMode="numeric" onChange={({ target }) => setSeed(target.value)} />
            </div>
            <IconButton
              label={t('sample.another')}
              icon={<Dices aria-hidden className="size-4" />}
              onClick={() => setSeed(String(Math.floor(Math.random() * 1_000_000)))}
            />
          </div>
        </Field>
      )}
      <Button type="submit" kind="primary" loading={busy}>
        {t(busy ? 'running' : 'run')}
      </Button>
    </form>
  );
}

function BacktestResult({ backtest, project }: { backtest: ProjectBacktest; project: Project }) {
  const { t } = useTranslation('backtest');
  if (backtest.state === 'running') return <BacktestProgress backtest={backtest} />;
  if (backtest.failure || backtest.metrics === null) {
    return (
      <Notice kind="error">
        {backtest.failure ? <SentenceText sentence={backtest.failure} /> : t('failed')}
      </Notice>
    );
  }
  if (backtest.cases.length === 0) return <EmptyState title={t('none.title')}>{t('none.text')}</EmptyState>;
  const { files, functions, causes, calibration } = backtest.metrics;
  return (
    <>
      <RunDetails backtest={backtest} />
      <ResultSection title={t('hits.title')} text={t('hits.text')}>
        <HitRates rates={{ files, functions, causes }} />
      </ResultSection>
      <ResultSection title={t('calibration.title')} text={t('calibration.text')}>
        <CalibrationChart calibration={calibration} />
      </ResultSection>
      <ResultSection title={t('cases.title')} text={t('cases.text')}>
        <CaseTable cases={backtest.cases} projectId={project.id} />
      </ResultSection>
    </>
  );
}

function RunDetails({ backtest }: { backtest: ProjectBacktest }) {
  const { t, i18n } = useTranslation('backtest');
  const number = new Intl.NumberFormat(i18n.language);
  return (
    <p className="mb-8 flex flex-wrap gap-x-4 text-muted">
      <span>{t('facts.fixes', { count: backtest.cases.length })}</span>
      <span>{t('facts.seconds', { value: number.format(backtest.seconds ?? 0) })}</span>
      <span>
        {t('facts.commit')} <code>{backtest.commit.slice(0, 7)}</code>
      </span>
      <span>
        {backtest.seed === null ? t('facts.latest') : t('facts.seed', { value: String(backtest.seed) })}
      </span>
    </p>
  );
}

function ResultSection({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <section className="mb-10">
      <h3 className="font-semibold">{title}</h3>
      <p className="mt-0.5 mb-3 max-w-[68ch] text-muted">{text}</p>
      {children}
    </section>
  );
}
