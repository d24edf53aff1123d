import type { ErrorGroup } from '#contract/error-groups.ts';
import { useTranslation } from '../i18n.ts';
import { ErrorRow } from '../parts/error-row.tsx';
import { Button } from '../ui/button.tsx';
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
          <Button size="small" onClick={() => triage.toggleSolved([error])}>
            {t(isSolved ? 'reopen' : 'resolve')}
          </Button>
        }
      />
    </li>
  );
}
