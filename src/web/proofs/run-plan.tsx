import type { ProofPlan } from '#contract/proofs.ts';
import { useTranslation } from '../i18n.ts';
import { CodeSpans } from '../parts/sentence-text.tsx';
import { DescriptionList } from '../ui/description-list.tsx';
import type { ProofDraft } from './proof-draft.ts';

/** Suspects that are named. */
const MAX_NAMED = 3;

/** States exactly what will run where, and under which limits. */
export function RunPlan({ draft, plan }: { draft: ProofDraft; plan: ProofPlan }) {
  const { t } = useTranslation('proofs');
  const { limits, setup, hosts } = plan;
  const reach = hosts.length > 0 ? t('plan.hosts', { hosts: hosts.join(', ') }) : t('plan.no_hosts');
  const items = {
    [t('plan.where')]: t('plan.where_text'),
    [t('plan.at')]: <CodeSpans text={useRevisionsText(draft, plan)} />,
    ...(setup !== null && {
      [t('plan.setup')]: <CodeSpans text={`${t('plan.setup_text', { command: setup })}; ${reach}`} />,
    }),
    [t('plan.limits')]: t('plan.limits_text', {
      minutes: limits.run_seconds / 60,
      memory: limits.memory_mb,
    }),
  };
  return (
    <section>
      <h3 className="mb-1 font-semibold">{t('plan.title')}</h3>
      <DescriptionList items={items} />
    </section>
  );
}

function useRevisionsText({ kind, bad: typed }: ProofDraft, plan: ProofPlan): string {
  const { t } = useTranslation('proofs');
  const named = kind === 'bisect' ? typed.trim() : '';
  const bad = `\`${named || plan.bad.slice(0, 7)}\``;
  if (kind === 'reproduce') return t('plan.at_reproduce', { bad });
  if (kind === 'verify') return t('plan.at_verify', { bad });
  const suspects = plan.suspects.slice(0, MAX_NAMED).map(({ hash }) => `\`${hash.slice(0, 7)}\``);
  if (suspects.length === 0) return t('plan.at_bisect', { bad });
  return t('plan.at_suspects', { bad, commits: suspects.join(', '), count: suspects.length });
}
