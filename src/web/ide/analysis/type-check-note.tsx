import type { TypeCheck } from '#contract/analysis.ts';
import { useTranslation } from '../../i18n.ts';
import { Notice } from '../../ui/notice.tsx';

/** Packages that are named. */
const MAX_NAMED = 6;

/** Says how far the types could be checked: packages are not installed, or the checker was stopped. */
export function TypeCheckNote({ types, onRetry }: { types: TypeCheck; onRetry: () => void }) {
  const { t, i18n } = useTranslation('analysis');
  const { status, hidden, missing_packages: missing } = types;
  if (status !== 'checked') {
    return (
      <Notice kind="warning" className="my-2" onRetry={onRetry}>
        {t(`types.${status}`)}
      </Notice>
    );
  }
  if (missing.length === 0 && hidden === 0)
    return <p className="mt-2 text-sm text-muted">{t('types.complete')}</p>;
  const named = missing.slice(0, MAX_NAMED);
  const rest = missing.length - named.length;
  const parts = rest > 0 ? [...named, t('types.more', { count: rest })] : named;
  const list = new Intl.ListFormat(i18n.language, { type: 'conjunction' }).format(parts);
  return (
    <p className="mt-2 text-sm wrap-anywhere text-muted">
      {t('types.own_files')} {missing.length > 0 && t('types.missing', { packages: list })}{' '}
      {hidden > 0 && t('types.hidden', { count: hidden })}
    </p>
  );
}
