import { clsx } from 'clsx';
import { CornerDownLeft } from 'lucide-react';
import { Link } from 'react-router';
import { useTranslation } from '../i18n.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import type { Suggestion, SuggestionGroup } from './build-suggestions.ts';

interface SuggestionListProps {
  id: string;
  groups: SuggestionGroup[];
  /** Last option: all results. */
  allResults: Suggestion;
  project: string;
  /** Status text when there are no options; empty otherwise. */
  statusText: string;
  /** Index of the active option; -1 for none. */
  active: number;
  onFollow: () => void;
}

/** Element id of an option, for `aria-activedescendant`. */
export function suggestionId(list: string, index: number): string {
  return `${list}-${index}`;
}

/** Suggestions of the search box; the input retains focus. */
export function SuggestionList({
  id,
  groups,
  allResults,
  project,
  statusText,
  active,
  onFollow,
}: SuggestionListProps) {
  const { t } = useTranslation('shell');
  const groupOffsets = groups.map((_, place) =>
    groups.slice(0, place).reduce((sum, { suggestions }) => sum + suggestions.length, 0),
  );
  const count = groups.reduce((sum, { suggestions }) => sum + suggestions.length, 0);
  const line = (suggestion: Suggestion, index: number) => ({
    id: suggestionId(id, index),
    to: suggestion.to,
    active: index === active,
    onFollow,
  });
  return (
    <div className="absolute inset-x-0 top-full z-40 mt-1 max-h-[70vh] overflow-y-auto rounded-lg border border-border bg-surface py-1 shadow-overlay max-sm:fixed max-sm:inset-x-2 max-sm:top-12">
      {statusText && (
        <p role="status" className="px-3 py-1.5 text-muted">
          {statusText}
        </p>
      )}
      <div id={id} role="listbox" aria-label={t('suggest.label')}>
        {groups.map(({ kind, suggestions }, place) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options; a fieldset is for inputs.
          <div key={kind} role="group" aria-label={t(`suggest.${kind}`, { project })}>
            <p aria-hidden="true" className="px-3 pt-2 pb-0.5 text-xs tracking-[0.04em] text-muted">
              {t(`suggest.${kind}`, { project })}
            </p>
            {suggestions.map((suggestion, index) => (
              <Option key={suggestion.to} {...line(suggestion, groupOffsets[place]! + index)}>
                <span className={clsx('min-w-0 truncate', kind === 'code' && 'font-mono text-sm')}>
                  <Verbatim text={suggestion.text} />
                </span>
                {suggestion.detail && (
                  <span className="ml-auto max-w-[60%] min-w-0 shrink-0 truncate font-mono text-sm text-muted">
                    <Verbatim text={suggestion.detail} />
                  </span>
                )}
              </Option>
            ))}
          </div>
        ))}
        <Option {...line(allResults, count)}>
          <span className="min-w-0 truncate text-action">{allResults.text}</span>
          <CornerDownLeft aria-hidden="true" className="ml-auto size-3.5 shrink-0 text-muted" />
        </Option>
      </div>
    </div>
  );
}

interface OptionProps {
  id: string;
  to: string;
  active: boolean;
  onFollow: () => void;
  children: React.ReactNode;
}

function Option({ id, to, active, onFollow, children }: OptionProps) {
  return (
    <Link
      id={id}
      to={to}
      role="option"
      aria-selected={active}
      tabIndex={-1}
      // Prevents blur, which would close the list before the click.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onFollow}
      className={clsx('flex h-8 items-center gap-4 px-3', active ? 'bg-select' : 'hover:bg-select')}
    >
      {children}
    </Link>
  );
}
