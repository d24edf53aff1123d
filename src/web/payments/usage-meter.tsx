import { useTranslation } from '../i18n.ts';

/** `2 of 3` with a bar, or the number alone where nothing is limited. */
export function UsageMeter({ used, limit }: { used: number; limit: number | null }) {
  const { t } = useTranslation('subscription');
  if (limit === null) return t('usage.unlimited', { used });
  const words = t('usage.of', { used, limit });
  return (
    <span className="flex items-center gap-3">
      {words}
      <span aria-hidden="true" className="h-1.5 max-w-40 flex-1 bg-border">
        <span
          className="block h-full bg-action"
          style={{ width: `${Math.min(100, (used / limit) * 100)}%` }}
        />
      </span>
    </span>
  );
}
