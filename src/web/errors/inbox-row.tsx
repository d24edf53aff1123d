import type { ErrorGroup } from '#contract/error-groups.ts';
import { useTranslation } from '../i18n.ts';
import { ErrorRow } from '../parts/error-row.tsx';
import { Button } from '../ui/button.tsx';
import { useInvestigate } from './use-investigate.ts';
import type { Triage } from './use-triage.ts';

interface InboxRowProps {
  error: ErrorGroup;
  showsProject: boolean;
  isSelected: boolean;
  onToggle: () => void;
  triage: Triage;
}

/** An error of the inbox with its checkbox, and its first action while it is hovered. */
export function InboxRow({ error, showsProject, isSelected, onToggle, triage }: InboxRowProps) {
  const { t } = useTranslation('inbox');
  const isSolved = error.state === 'solved';
  const isWaiting = error.event_count > 0 && /^(?:waiting|failed)$/.test(error.investigation);
  return (
    <li className="border-b border-border">
      <ErrorRow
        error={error}
        showsProject={showsProject}
        selected={isSelected}
        before={
          // The checkbox and the actions lie above the link, which covers the row.
          <input
            type="checkbox"
            className="checkbox relative z-10 size-4 shrink-0"
            aria-label={t('select', { title: error.title })}
            checked={isSelected}
            onChange={onToggle}
          />
        }
        actions={
          <>
            {isWaiting && <InvestigateButton error={error} />}
            <Button size="small" onClick={() => triage.toggleSolved([error])}>
              {t(isSolved ? 'reopen' : 'resolve')}
            </Button>
          </>
        }
      />
    </li>
  );
}

function InvestigateButton({ error }: { error: ErrorGroup }) {
  const { t } = useTranslation('errors-page');
  const investigate = useInvestigate();
  return (
    <Button
      size="small"
      loading={investigate.isPending}
      title={investigate.error?.message}
      onClick={() => investigate.mutate(error)}
    >
      {t(investigate.isSuccess ? 'verdict.asked' : 'verdict.now')}
    </Button>
  );
}
