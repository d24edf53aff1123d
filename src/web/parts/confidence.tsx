import { useTranslation } from 'react-i18next';

/** Upper bounds of the levels thin and likely; strong above. */
const LEVELS = [
  [0.45, 'confidence.weak'],
  [0.7, 'confidence.probable'],
  [Number.POSITIVE_INFINITY, 'confidence.strong'],
] as const;

/** Confidence as a bar, a percentage and a label. `value` is 0 to 1. */
export function Confidence({ value }: { value: number }) {
  const { t } = useTranslation('parts');
  const percent = Math.round(Math.min(1, Math.max(0, value)) * 100);
  const [, words] = LEVELS.find(([limit]) => value < limit) ?? LEVELS[2];
  return (
    <span className="inline-flex items-center gap-2">
      <span aria-hidden className="h-1.5 w-[88px] overflow-hidden rounded-sm bg-border">
        <span className="block h-full bg-action" style={{ width: `${percent}%` }} />
      </span>
      <b className="font-semibold text-foreground">{percent}%</b>
      <span>{t(words)}</span>
    </span>
  );
}
