import { CircleAlert } from 'lucide-react';
import { useTranslation } from '../../i18n.ts';
import { Verbatim } from '../../parts/verbatim.tsx';
import { Button } from '../../ui/button.tsx';
import type { EditorFailure } from '../editor-tab.ts';

/** Failed operations, until they are dismissed. */
export function FailureList({ failures, onClear }: { failures: EditorFailure[]; onClear: () => void }) {
  const { t } = useTranslation(['ide', 'analysis']);
  if (failures.length === 0) return null;
  return (
    <div className="mb-2 flex items-start gap-2">
      <ul className="min-w-0 flex-1">
        {failures.map(({ id, path, message }) => (
          <li key={id} className="flex items-start gap-2 py-1">
            <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            <span className="min-w-0 wrap-anywhere">
              {path && (
                <>
                  <span className="font-mono text-code">
                    <Verbatim text={path} />
                  </span>{' '}
                </>
              )}
              {message} <span className="text-muted">{t('issues.failed')}</span>
            </span>
          </li>
        ))}
      </ul>
      <Button size="small" onClick={onClear}>
        {t('analysis:dismiss')}
      </Button>
    </div>
  );
}
