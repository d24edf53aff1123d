import { useTranslation } from '../i18n.ts';

interface SkeletonProps {
  /** Width of each row's bar, such as `['60%', '40%']`. */
  rows?: string[];
}

/** Placeholder bars in rows of 32 px, announced as loading. */
export function Skeleton({ rows = ['42%', '68%', '55%'] }: SkeletonProps) {
  const { t } = useTranslation('ui');
  return (
    <div role="status" className="delayed-fade-in">
      <span className="sr-only">{t('loading')}</span>
      {rows.map((width, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars have no identity and never move.
        <div key={index} aria-hidden="true" className="flex h-8 items-center gap-3">
          <span className="h-4 w-1.5 bg-age-5" />
          <span className="h-2.5 rounded-sm bg-border" style={{ width }} />
        </div>
      ))}
    </div>
  );
}
