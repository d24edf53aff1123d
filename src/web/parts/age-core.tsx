import { useTranslation } from '../i18n.ts';
import { AGES, type Age, ageColor } from './age.ts';
import { formatPercent } from './format-percent.ts';

interface AgeCoreProps {
  /** Amount of code, such as lines or files, by the age of its last change. */
  amounts: Readonly<Partial<Record<Age, number>>>;
  /** Named in the tooltip and for screen readers, such as the name of a project. */
  label?: string;
}

/** Vertical bar of 6 px, as high as its row: one layer an age, as thick as its share of the code, the newest on top. */
export function AgeCore({ amounts, label }: AgeCoreProps) {
  const { t, i18n } = useTranslation('parts');
  const total = AGES.reduce((sum, age) => sum + (amounts[age] ?? 0), 0);
  const layers = AGES.filter((age) => (amounts[age] ?? 0) > 0);
  if (total === 0) return <span aria-hidden="true" className="block w-1.5 shrink-0 self-stretch bg-border" />;
  const shares = layers.map(
    (age) => `${t(`age.${age}`)} ${formatPercent((amounts[age] ?? 0) / total, i18n.language)}`,
  );
  const sentence = `${label ? `${label}: ` : ''}${t('age_core', { shares: shares.join(', ') })}`;
  return (
    <span
      role="img"
      aria-label={sentence}
      title={sentence}
      className="flex w-1.5 shrink-0 flex-col gap-px self-stretch"
    >
      {layers.map((age) => (
        <span
          key={age}
          className="min-h-0.5"
          style={{ flexGrow: (amounts[age] ?? 0) / total, background: ageColor(age) }}
        />
      ))}
    </span>
  );
}
