import { useTranslation } from 'react-i18next';

/** Below this an answer is called thin, below the next one likely, else strong. */
const LEVELS = [
  [0.45, 'confidence.thin'],
  [0.7, 'confidence.likely'],
  [Number.POSITIVE_INFINITY, 'confidence.strong'],
] as const;

/** How sure an answer is: a bar, a rounded percentage and what it means in words. `value` is 0 to 1. */
export function Confidence({ value }: { value: number }) {
  const { t } = useTranslation('parts');
  const percent = Math.round(Math.min(1, Math.max(0, value)) * 100);
  const [, words] = LEVELS.find(([limit]) => value < limit) ?? LEVELS[2];
  return (
    <span className="inline-flex items-center gap-2">
      <span aria-hidden className="h-1.5 w-[88px] overflow-hidden rounded-sm bg-rule">
        <span className="block h-full bg-action" style={{ width: `${percent}%` }} />
      </span>
      <b className="font-semibold text-ink">{percent}%</b>
      <span>{t(words)}</span>
    </span>
  );
}
