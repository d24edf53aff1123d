import { useQuery } from '@tanstack/react-query';
import { Search, X } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useId, useState } from 'react';
import type { SearchMatch } from '#contract/search-query.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { SuggestionList } from '../parts/suggestion-list.tsx';
import {
  applyCompletion,
  type Completion,
  completeLocally,
  findTypedPart,
  type TypedPart,
} from './completion.ts';
import { MatchSwitch } from './match-switch.tsx';
import { SearchRevision } from './search-revision.tsx';

interface QueryInputProps {
  input: RefObject<HTMLInputElement | null>;
  q: string;
  match: SearchMatch;
  projects: Parameters<typeof SearchRevision>[0]['projects'];
  /** Id of the list of problems, where there are any. */
  describedBy: string | undefined;
  onSearch: (change: { q?: string; match?: SearchMatch }) => void;
}

/** Query with completion of filters: arrows choose, Enter or Tab takes the choice, Enter without one searches. */
export function QueryInput({ input, q, match, projects, describedBy, onSearch }: QueryInputProps) {
  const { t } = useTranslation('search');
  const [text, setText] = useState(q);
  const [cursor, setCursor] = useState<number | null>(null);
  const [active, setActive] = useState(-1);
  const listId = useId();
  // Back and forward change the query.
  useEffect(() => setText(q), [q]);
  const part = cursor === null ? null : findTypedPart(text, cursor);
  const offers = useCompletions(part, { q: text, projects });
  const isOpen = offers.length > 0;
  const close = () => {
    setCursor(null);
    setActive(-1);
  };
  const clear = () => {
    setText('');
    input.current?.focus();
  };
  const take = (offer: Completion) => {
    const next = applyCompletion(text, part!, offer);
    setText(next.query);
    setActive(-1);
    setCursor(next.cursor);
    requestAnimationFrame(() => input.current?.setSelectionRange(next.cursor, next.cursor));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    // Keys belong to an input method while it composes.
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && isOpen) {
      event.preventDefault();
      setActive(((active + 1 + step + offers.length + 1) % (offers.length + 1)) - 1);
    } else if ((event.key === 'Enter' || event.key === 'Tab') && isOpen && offers[active]) {
      event.preventDefault();
      take(offers[active]);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      if (isOpen) close();
      else input.current?.blur();
    }
  };
  return (
    <form
      className="relative flex flex-wrap items-center gap-2 [&>button]:h-9"
      onSubmit={(event) => {
        event.preventDefault();
        close();
        onSearch({ q: text.trim() });
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) close();
      }}
    >
      <div className="relative min-w-0 flex-1 basis-80">
        <Search aria-hidden className="pointer-events-none absolute top-2.5 left-3 size-4 text-muted" />
        <input
          ref={input}
          type="text"
          inputMode="search"
          enterKeyHint="search"
          role="combobox"
          aria-label={t('query')}
          aria-keyshortcuts="/"
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={isOpen ? listId : undefined}
          aria-activedescendant={isOpen && active >= 0 ? `${listId}-${active}` : undefined}
          aria-describedby={describedBy}
          aria-invalid={describedBy !== undefined || undefined}
          autoComplete="off"
          spellCheck={false}
          maxLength={10_000}
          value={text}
          placeholder={t('placeholder')}
          onChange={({ target }) => {
            setText(target.value);
            setCursor(target.selectionStart);
            setActive(-1);
          }}
          onSelect={({ currentTarget }) => {
            if (cursor !== null) setCursor(currentTarget.selectionStart);
          }}
          onFocus={() => text === '' && setCursor(0)}
          onKeyDown={onKeyDown}
          className="h-9 w-full rounded-md border border-control bg-surface pr-9 pl-9 font-mono text-code text-ellipsis placeholder:font-sans placeholder:text-muted hover:border-muted focus-visible:border-action focus-visible:outline-offset-0"
        />
        {text !== '' && <ClearButton onClear={clear} />}
        {isOpen && (
          <SuggestionList
            id={listId}
            label={t('completions')}
            suggestions={offers}
            active={active}
            onTake={take}
          />
        )}
      </div>
      <MatchSwitch value={match} onChange={(next) => onSearch({ q: text.trim(), match: next })} />
      <SearchRevision q={text} projects={projects} onChange={(next) => onSearch({ q: next })} />
    </form>
  );
}

function ClearButton({ onClear }: { onClear: () => void }) {
  const { t } = useTranslation('search');
  return (
    <button
      type="button"
      aria-label={t('clear')}
      title={t('clear')}
      onClick={onClear}
      className="absolute top-1.5 right-1.5 flex size-6 items-center justify-center rounded-md text-muted hover:bg-select hover:text-foreground"
    >
      <X aria-hidden className="size-4" />
    </button>
  );
}

/** Offers for a part of the query: those known here, or values from the projects that the query covers. */
function useCompletions(
  part: TypedPart | null,
  { q, projects }: { q: string; projects: QueryInputProps['projects'] },
): Completion[] {
  const { t } = useTranslation('search');
  const key =
    part?.key === 'author' || part?.key === 'path' || part?.key === 'lang' || part?.key === 'rev'
      ? part.key
      : null;
  const others = part ? `${q.slice(0, part.from)}${q.slice(part.to)}`.trim() : '';
  const found = useQuery({
    ...apiQuery('GET /search/values', {
      query: { key: key ?? 'lang', text: part?.text ?? '', q: others.slice(0, 2_000) },
    }),
    enabled: key !== null,
    placeholderData: (before) => before,
  });
  if (!part) return [];
  if (key === null) return completeLocally(part, { projects, describe: t });
  return (found.data?.values ?? []).map(({ value, detail }) => ({
    value: `${part.negated ? '-' : ''}${key}:${/\s/.test(value) ? `"${value}"` : value}${key === 'path' && value.endsWith('/') ? '' : ' '}`,
    label: value,
    detail: /^\d+$/.test(detail) ? t(`uses.${key}`, { count: Number(detail) }) : detail,
  }));
}
