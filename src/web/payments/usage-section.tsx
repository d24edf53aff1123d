import type { ReactNode } from 'react';
import type { PlanUsage } from '#contract/billing.ts';
import { useTranslation } from '../i18n.ts';
import { DescriptionList } from '../ui/description-list.tsx';
import { formatLongDate } from '../ui/format-time.ts';
import { UsageMeter } from './usage-meter.tsx';

/** Meters of the plan: projects, commits shown, answers of the month. */
export function UsageSection({ usage }: { usage: PlanUsage }) {
  const { t, i18n } = useTranslation(['billing', 'subscription']);
  const { commits, answers, projects, period } = usage;
  const hasLimit = commits.days !== null && commits.total > 0;
  return (
    <DescriptionList
      borderless
      items={{
        [t('usage.plan')]: t(`subscription:plan.${usage.plan}.name`),
        [t('usage.projects')]: (
          <WithNote note={null}>
            <UsageMeter {...projects} />
          </WithNote>
        ),
        [t('usage.commits')]: (
          <WithNote note={hasLimit && <CommitLimit {...commits} />}>
            <UsageMeter used={commits.shown} limit={hasLimit ? commits.total : null} />
          </WithNote>
        ),
        [t('usage.answers')]: (
          <WithNote note={t('usage.since', { date: formatLongDate(period.from, i18n.language) })}>
            <UsageMeter {...answers} />
          </WithNote>
        ),
      }}
    />
  );
}

/** The limit of each project. */
function CommitLimit({ limit, days }: PlanUsage['commits']) {
  const { t } = useTranslation('billing');
  return limit === null ? t('usage.days', { days }) : t('usage.commits_or_days', { limit, days });
}

function WithNote({ note, children }: { note: ReactNode; children: ReactNode }) {
  return (
    <>
      <span className="block w-64 max-w-full">{children}</span>
      {note && <span className="block text-sm text-muted">{note}</span>}
    </>
  );
}
