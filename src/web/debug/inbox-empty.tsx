import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';

interface InboxEmptyProps {
  isFiltered: boolean;
  /** True when other filters would show errors. */
  hasErrors: boolean;
  onClear: () => void;
}

/** Empty inbox: its reason and the next step. */
export function InboxEmpty({ isFiltered, hasErrors, onClear }: InboxEmptyProps) {
  const { t } = useTranslation('inbox');
  return (
    <div className="flex flex-wrap items-center gap-3 border-b border-border py-4 text-muted">
      <p>{t(isFiltered ? 'empty.filtered' : hasErrors ? 'empty.solved' : 'empty.never')}</p>
      {isFiltered && <Button onClick={onClear}>{t('empty.clear')}</Button>}
    </div>
  );
}
