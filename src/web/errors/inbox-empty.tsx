import { useTranslation } from '../i18n.ts';
import { Button, ButtonLink } from '../ui/button.tsx';

interface InboxEmptyProps {
  isFiltered: boolean;
  /** True when other filters would show errors. */
  hasErrors: boolean;
  projectId: string | undefined;
  onClear: () => void;
}

/** Empty inbox: its reason and the next step. */
export function InboxEmpty({ isFiltered, hasErrors, projectId, onClear }: InboxEmptyProps) {
  const { t } = useTranslation('inbox');
  const isNew = !isFiltered && !hasErrors;
  return (
    <div className="flex flex-wrap items-center gap-3 border-b border-border py-4 text-muted">
      <p>{t(isFiltered ? 'empty.filtered' : hasErrors ? 'empty.solved' : 'empty.never')}</p>
      {isFiltered && <Button onClick={onClear}>{t('empty.clear')}</Button>}
      {isNew && projectId !== undefined && (
        <ButtonLink to={`/projects/${projectId}/settings#intake`}>{t('empty.connect')}</ButtonLink>
      )}
    </div>
  );
}
