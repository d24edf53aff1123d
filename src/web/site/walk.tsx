import type { ReactNode } from 'react';
import type { ApiReply } from '#contract/api.ts';
import { useTranslation } from '../i18n.ts';
import { formatPercent } from '../parts/format-percent.ts';
import { RecordedPage } from '../recorded-page.tsx';
import { formatLongDate } from '../ui/format-time.ts';
import { recordedReply, WALK_RECORDING, WALK_STEPS, type WalkStep } from './recorded.ts';

const REPOSITORY = 'https://github.com/expressjs/express';
/** Released in express 4.17.2, a month after the commit that was recorded. */
const FIX = 'f275e87dff1aaef86080e6931888de4968585fd8';

/** Walk through five recorded pages: a group of radio buttons, so that arrow keys step through it without a script. */
export function Walk() {
  const { t } = useTranslation('site');
  const facts = useFacts();
  return (
    <section aria-labelledby="walk" className="mt-10">
      <h2 id="walk" className="mb-3 text-title">
        {t('walk.title')}
      </h2>
      <fieldset className="walk">
        <legend className="sr-only">{t('walk.legend')}</legend>
        <div className="grid grid-cols-5 gap-x-2 sm:gap-x-4">
          {WALK_STEPS.map((step, index) => (
            <label key={step} className="walk-step">
              <input type="radio" name="walk" value={step} defaultChecked={index === 0} className="sr-only" />
              <span className="font-mono">{index + 1}</span>
              <span className="max-md:sr-only">{t(`walk.${step}.title`)}</span>
            </label>
          ))}
        </div>
        {WALK_STEPS.map((step) => (
          <div key={step} data-walk={step}>
            <h3 className="md:hidden">{t(`walk.${step}.title`)}</h3>
            <p className="mb-3 min-h-18 text-answer text-pretty text-muted md:min-h-6">
              {t(`walk.${step}.text`, facts[step])}
            </p>
            <div className="walk-page">
              <Picture label={t('walk.picture', { title: t(`walk.${step}.title`) })}>
                <RecordedPage step={step} />
              </Picture>
            </div>
          </div>
        ))}
      </fieldset>
      <RecordingNote />
    </section>
  );
}

/** Content as a picture: its links and buttons act only in the application. */
function Picture({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="img" aria-label={label}>
      <div inert>{children}</div>
    </div>
  );
}

/** Source, license and date of what is shown. */
function RecordingNote() {
  const { t, i18n } = useTranslation('site');
  const { indexed_commit: commit } = recordedReply<ApiReply<'GET /projects/:id'>>(/^\/api\/projects\/[^/]+$/);
  return (
    <p className="flex flex-wrap gap-x-4 text-sm text-muted">
      <span>{t('walk.recorded', { date: formatLongDate(WALK_RECORDING.recorded_at, i18n.language) })}</span>
      <a href={`${REPOSITORY}/tree/${commit}`} className="link">
        expressjs/express
      </a>
      <a href={`${REPOSITORY}/blob/${commit}/LICENSE`} className="link">
        {t('walk.license')}
      </a>
      <a href={`${REPOSITORY}/commit/${FIX}`} className="link">
        {t('walk.fix')}
      </a>
    </p>
  );
}

/** Figures of each sentence, from the recorded replies. */
function useFacts(): Record<WalkStep, Record<string, string | number>> {
  const { i18n } = useTranslation('site');
  const { answer } = recordedReply<ApiReply<'GET /debug/sessions/:id'>>(/\/debug\/sessions\/[^/]+$/);
  const suspect = answer.timeline.find(({ kind }) => kind === 'suspect');
  const commit = recordedReply<ApiReply<'GET /projects/:id/commits/:sha'>>(/\/commits\/[^/]+$/);
  const { activity } = recordedReply<ApiReply<'GET /projects/:id/evolution'>>(/\/evolution\?/);
  const { backtest } = recordedReply<ApiReply<'GET /projects/:id/backtest'>>(/\/backtest$/);
  const files = backtest?.metrics?.files;
  const number = (value: number) => value.toLocaleString(i18n.language);
  const percent = (share = 0) => formatPercent(share, i18n.language);
  const hash = commit.hash.slice(0, 7);
  return {
    answer: { hash, year: suspect?.timestamp?.slice(0, 4) ?? '' },
    commit: {
      hash,
      count: commit.files.length,
      added: commit.totals?.added ?? 0,
      deleted: commit.totals?.deleted ?? 0,
    },
    chat: {},
    evolution: { commits: number(activity.commits), people: number(activity.people) },
    trust: { count: files?.case_count ?? 0, first: percent(files?.at1), three: percent(files?.at3) },
  };
}
