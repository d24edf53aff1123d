import { clsx } from 'clsx';
import { SEARCH_MATCHES, type SearchMatch } from '#contract/search-query.ts';
import { useTranslation } from '../i18n.ts';

const SIGNS: Record<SearchMatch, string> = { words: 'Aa', exact: '“ ”', regex: '.*' };

/** Switch between words, exact text and regular expression. */
export function MatchSwitch({
  value,
  onChange,
}: {
  value: SearchMatch;
  onChange: (match: SearchMatch) => void;
}) {
  const { t } = useTranslation('search');
  return (
    <fieldset className="flex h-9 shrink-0 rounded-md border border-control bg-surface">
      <legend className="sr-only">{t('match.title')}</legend>
      {SEARCH_MATCHES.map((match) => (
        <label
          key={match}
          title={t(`match.${match}_hint`)}
          className="relative flex items-center gap-1.5 rounded-md px-2.5 text-muted hover:text-foreground has-checked:bg-select has-checked:font-semibold has-checked:text-foreground has-focus-visible:outline-2 has-focus-visible:outline-action"
        >
          <input
            type="radio"
            name="match"
            value={match}
            checked={match === value}
            onChange={() => onChange(match)}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
          <span aria-hidden className={clsx('font-mono text-sm', match === value && 'text-action')}>
            {SIGNS[match]}
          </span>
          {t(`match.${match}`)}
        </label>
      ))}
    </fieldset>
  );
}
