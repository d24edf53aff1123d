import { Search } from 'lucide-react';
import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useTranslation } from '../i18n.ts';
import { Kbd } from '../ui/kbd.tsx';
import { searchUrl } from './build-suggestions.ts';
import { SuggestionList, suggestionId } from './suggestion-list.tsx';
import { useSuggestions } from './use-suggestions.ts';

const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.platform);

/** Search box with suggestions: arrows select, Enter opens the selected one or all results. */
export function SearchBox() {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const urlQuery = query.get('q') ?? '';
  const [text, setText] = useState(urlQuery);
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  useSearchShortcut(input);
  // Back and forward change the query; the input is reused so that focus stays.
  useEffect(() => setText(urlQuery), [urlQuery]);

  const { groups, project, searching, error } = useSuggestions(open ? text : '');
  const q = text.trim();
  const allResults = { to: searchUrl(q, project?.id ?? null), text: t('suggest.all', { q }) };
  const options = [...groups.flatMap(({ suggestions }) => suggestions), allResults];
  const shown = open && q !== '';
  const statusText = error
    ? t('suggest.failed', { message: error.message })
    : groups.length > 0
      ? ''
      : t(searching ? 'suggest.searching' : 'suggest.nothing');

  const close = () => {
    setOpen(false);
    setActive(-1);
  };
  const onKeyDown = listKeyHandler({ active, count: options.length, onMove: setActive, onClose: close });
  const follow = () => {
    if (q === '') return;
    const { to } = options[active] ?? { to: searchUrl(q, query.get('project_id') ?? project?.id ?? null) };
    close();
    void navigate(to);
  };

  return (
    <search
      className="relative block max-w-[520px]"
      onBlur={({ currentTarget, relatedTarget }: FocusEvent) => {
        if (!currentTarget.contains(relatedTarget)) close();
      }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          follow();
        }}
      >
        <SearchInput
          input={input}
          text={text}
          list={shown ? listId : undefined}
          active={active}
          onText={(next) => {
            setText(next);
            setOpen(true);
            setActive(-1);
          }}
          onKeyDown={(event) => shown && onKeyDown(event)}
        />
      </form>
      {shown && (
        <SuggestionList
          id={listId}
          groups={groups}
          allResults={allResults}
          project={project?.name ?? ''}
          statusText={statusText}
          active={active}
          onFollow={close}
        />
      )}
    </search>
  );
}

interface SearchInputProps {
  input: RefObject<HTMLInputElement | null>;
  text: string;
  /** Id of the list while it is open. */
  list: string | undefined;
  active: number;
  onText: (text: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

/** Combobox input; retains focus and references the active option. */
function SearchInput({ input, text, list, active, onText, onKeyDown }: SearchInputProps) {
  const { t } = useTranslation('shell');
  return (
    <>
      <Search aria-hidden="true" className="pointer-events-none absolute top-2 left-2.5 size-4 text-muted" />
      <input
        ref={input}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        role="combobox"
        aria-expanded={list !== undefined}
        aria-controls={list}
        aria-activedescendant={list !== undefined && active >= 0 ? suggestionId(list, active) : undefined}
        aria-autocomplete="list"
        aria-label={t('search_label')}
        aria-keyshortcuts={IS_APPLE ? 'Meta+K' : 'Control+K'}
        autoComplete="off"
        spellCheck={false}
        value={text}
        maxLength={10_000}
        placeholder={t('search_placeholder')}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={onKeyDown}
        className="h-8 w-full rounded-md border border-control bg-background pr-2.5 pl-8 text-ellipsis sm:pr-16 placeholder:text-muted hover:border-muted focus-visible:border-action focus-visible:outline-offset-0"
      />
      <Kbd aria-hidden="true" className="pointer-events-none absolute top-2 right-2 max-sm:hidden">
        {IS_APPLE ? '⌘ K' : 'Ctrl K'}
      </Kbd>
    </>
  );
}

/** Ctrl-K, or ⌘-K on a Mac, focuses the search box. */
function useSearchShortcut(input: RefObject<HTMLInputElement | null>) {
  useEffect(() => {
    const go = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'k' || !(IS_APPLE ? event.metaKey : event.ctrlKey)) return;
      event.preventDefault();
      input.current?.select();
      input.current?.focus();
    };
    addEventListener('keydown', go);
    return () => removeEventListener('keydown', go);
  }, [input]);
}

interface ListKeyOptions {
  /** Index of the active option; -1 for none. */
  active: number;
  count: number;
  onMove: (index: number) => void;
  onClose: () => void;
}

/** Arrow keys cycle through the text and the options; Escape closes the list. */
function listKeyHandler({ active, count, onMove, onClose }: ListKeyOptions) {
  return (event: KeyboardEvent) => {
    // Keys belong to an input method while it composes.
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      onMove(((active + 1 + step + count + 1) % (count + 1)) - 1);
    }
    if (event.key === 'Escape') {
      event.preventDefault();
      onClose();
    }
  };
}
