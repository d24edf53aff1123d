import { useState } from 'react';
import type { ErrorDetail } from '#contract/error-groups.ts';
import { useTranslation } from '../i18n.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { useSplit } from './use-merge.ts';

/** Fingerprints of an error that was merged, to split some of them off. */
export function ErrorKeys({ detail }: { detail: ErrorDetail }) {
  const { t, i18n } = useTranslation(['errors-page', 'inbox']);
  const { error, keys, is_editable: isEditable } = detail;
  const split = useSplit(error.project_id, error.id);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const Row = isEditable ? 'label' : 'div';
  const selected = keys.flatMap(({ key }) => (chosen.includes(key) ? [key] : []));
  const save = () => split.mutate({ keys: selected }, { onSuccess: () => setChosen([]) });
  return (
    <>
      <p className="mb-1 text-sm text-muted">{t('split.text', { count: keys.length })}</p>
      <ul className="border-b border-border">
        {keys.map(({ key, title, count, last_seen }) => (
          <li key={key} className="border-t border-border">
            <Row className="flex items-start gap-2 py-1.5">
              {isEditable && (
                <input
                  type="checkbox"
                  className="checkbox mt-0.5 size-4 shrink-0"
                  checked={chosen.includes(key)}
                  onChange={() =>
                    setChosen(chosen.includes(key) ? chosen.filter((one) => one !== key) : [...chosen, key])
                  }
                />
              )}
              <span className="min-w-0 flex-1">
                <span className="line-clamp-2 font-mono text-sm wrap-anywhere">
                  <Verbatim text={title} />
                </span>
                <span className="text-sm text-muted">
                  {t('inbox:times', { count, value: new Intl.NumberFormat(i18n.language).format(count) })},{' '}
                  <RelativeTime at={last_seen} />
                </span>
              </span>
            </Row>
          </li>
        ))}
      </ul>
      {split.error && (
        <Notice kind="error" className="mt-2" onRetry={save}>
          {split.error.message}
        </Notice>
      )}
      {isEditable && (
        <Button
          className="mt-2"
          loading={split.isPending}
          disabled={selected.length === 0 || selected.length === keys.length}
          onClick={save}
        >
          {t('split.submit')}
        </Button>
      )}
    </>
  );
}
