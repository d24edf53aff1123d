import type { Plan } from '#contract/plans.ts';
import { useTranslation } from '../i18n.ts';

/**
 * Limits of a plan as this server enforces them, from the plan table. Whether billing is set up is an attribute of the
 * document, so that prerendered pages say it too.
 */
export function PlanLimits({ limits }: Pick<Plan, 'limits'>) {
  const { t } = useTranslation('subscription');
  const { projects, commits, history_days: days } = limits;
  return (
    <p className="mt-auto mb-4 text-sm">
      <span className="not-in-data-[billing=on]:hidden">
        {t('enforced.limits', {
          projects:
            projects === null ? t('enforced.projects_all') : t('enforced.projects', { count: projects }),
          history: history(),
        })}
      </span>
      <span className="in-data-[billing=on]:hidden">{t('enforced.none')}</span>
    </p>
  );

  function history(): string {
    if (days === null) return t('enforced.history_all');
    return commits === null ? t('enforced.days', { days }) : t('enforced.commits_or_days', { commits, days });
  }
}
