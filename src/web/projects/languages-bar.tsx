import type { ProjectOverview } from '#contract/project-overview.ts';
import { useTranslation } from '../i18n.ts';
import { languageName } from '../parts/language-names.ts';

/** Languages of a segment of their own; all others are one. */
const MAX_SEGMENTS = 5;
const COLORS = ['var(--chart-1)', 'var(--chart-3)', 'var(--chart-4)', 'var(--chart-5)', 'var(--chart-2)'];
const OTHER_COLOR = 'var(--chart-6)';

/** Languages by lines: a bar, and the same in words. */
export function LanguagesBar({ languages }: Pick<ProjectOverview, 'languages'>) {
  const { t, i18n } = useTranslation('overview');
  const total = languages.reduce((sum, { lines }) => sum + lines, 0);
  if (total === 0) return <p className="text-muted">{t('languages.none')}</p>;
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 1 });
  const rest = languages.slice(MAX_SEGMENTS).reduce((sum, { lines }) => sum + lines, 0);
  const shares = [
    ...languages
      .slice(0, MAX_SEGMENTS)
      .map(({ name, lines }) => ({ name: languageName(name), share: lines / total })),
    ...(rest > 0 ? [{ name: t('languages.other'), share: rest / total }] : []),
  ].map((each, at) => ({ ...each, color: at < MAX_SEGMENTS ? COLORS[at] : OTHER_COLOR }));
  return (
    <>
      <div aria-hidden className="flex h-2 gap-px overflow-hidden rounded-sm">
        {shares.map(({ name, share, color }) => (
          <span key={name} style={{ width: `${share * 100}%`, background: color }} className="min-w-0.5" />
        ))}
      </div>
      <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {shares.map(({ name, share, color }) => (
          <li key={name} className="inline-flex items-center gap-1.5">
            <span aria-hidden className="size-2 rounded-xs" style={{ background: color }} />
            <span>{name}</span>
            <span className="text-muted tabular-nums">{percent.format(share)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
