import { clsx } from 'clsx';
import type { TimelineStep } from '#contract/debug.ts';
import { firstLine } from '#contract/first-line.ts';
import { useTranslation } from '../i18n.ts';
import { AgeTick } from '../parts/age-mark.tsx';
import { Confidence } from '../parts/confidence.tsx';
import { DiffView } from '../parts/diff-view.tsx';
import { HunkFrame } from '../parts/hunk-frame.tsx';
import { parsePatch } from '../parts/patch.ts';
import { CodeSpans, SentenceText, useSentence } from '../parts/sentence-text.tsx';
import { TimelineItem, TimelineList } from '../parts/timeline-list.tsx';
import { Verbatim } from '../parts/verbatim.tsx';
import { formatLongDate } from '../ui/format-time.ts';
import { RECORDED } from './recorded.ts';

const RECORDED_AT = Date.parse(RECORDED.recorded_at);

/** Recorded answer as in the application: cause, timeline and fix. */
export function RecordedAnswer() {
  const { t, i18n } = useTranslation('site');
  const sentence = useSentence();
  const { answer } = RECORDED;
  return (
    <section aria-label={t('landing.answer_title')} className="min-w-0 lg:border-l lg:border-border lg:pl-8">
      <h2 className="mb-2 text-muted">{t('landing.answer_title')}</h2>
      {answer.root_cause && (
        <p className="max-w-[62ch] text-title font-semibold wrap-anywhere">
          <CodeSpans text={sentence(answer.root_cause)} />
        </p>
      )}
      <p className="mt-2 mb-5 text-muted">
        <Confidence value={answer.confidence} />
      </p>
      <TimelineList label={t('debug:timeline')}>
        {answer.timeline.map((step) => (
          <Step key={step.kind} step={step} />
        ))}
      </TimelineList>
      <p className="text-sm text-muted">
        {t('landing.recorded', { date: formatLongDate(RECORDED.recorded_at, i18n.language) })}
      </p>
    </section>
  );
}

function Step({ step }: { step: TimelineStep }) {
  const { t, i18n } = useTranslation('debug');
  const cause = step.kind === 'suspect';
  const { commit } = step;
  return (
    <TimelineItem cause={cause}>
      <div className="mb-1 flex flex-wrap items-baseline gap-x-2">
        <AgeTick timestamp={step.timestamp} now={RECORDED_AT} />
        <h3 className={clsx('font-[650]', cause && 'text-cause')}>{t(`step.${step.kind}`)}</h3>
        {commit && (
          <span className="text-muted">
            <Verbatim text={commit.author} />, {formatLongDate(step.timestamp, i18n.language)}
          </span>
        )}
        {commit && <span className="font-mono text-sm text-muted">{commit.hash.slice(0, 7)}</span>}
      </div>
      {commit && (
        <p className="font-mono text-code wrap-anywhere">
          <Verbatim text={firstLine(commit.message)} />
        </p>
      )}
      <p className="mb-2 max-w-[68ch] text-muted wrap-anywhere">
        <SentenceText sentence={step.why} />
      </p>
      {cause && step.hunk && (
        <HunkFrame cause title={<Verbatim text={step.path ?? ''} />}>
          <DiffView hunk={step.hunk} path={step.path} timestamp={step.timestamp} now={RECORDED_AT} />
        </HunkFrame>
      )}
      {step.kind === 'now' && RECORDED.answer.patch && <Patch patch={RECORDED.answer.patch} />}
    </TimelineItem>
  );
}

function Patch({ patch }: { patch: string }) {
  const { t } = useTranslation('debug');
  return parsePatch(patch).map((file) => (
    <HunkFrame key={file.path} title={<Verbatim text={file.path} />} aside={t('fix.patch')}>
      {file.hunks.map((hunk) => (
        <DiffView
          key={hunk.old_start}
          hunk={hunk}
          path={file.path}
          timestamp={RECORDED.recorded_at}
          now={RECORDED_AT}
        />
      ))}
    </HunkFrame>
  ));
}
