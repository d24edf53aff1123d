import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { Search, X } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useTranslation } from '../i18n.ts';
import { PaletteFooter } from './palette-footer.tsx';
import { type PaletteGroup, type PaletteItem, parsePaletteInput } from './palette-items.ts';
import { PaletteRow } from './palette-row.tsx';
import { usePaletteGroups } from './use-palette-groups.ts';

interface PaletteProps {
  /** Typed text, also that of before the palette loaded. */
  text: string;
  onText: (text: string) => void;
  /** Takes the focus when the palette closes. */
  focusAfter: RefObject<HTMLElement | null>;
  onClose: () => void;
  showKeys: () => void;
}

/** Dialog that finds everything by name; the first result is highlighted, Enter opens it. */
export function Palette(props: PaletteProps) {
  const { t } = useTranslation('palette');
  return (
    <Dialog.Root open onOpenChange={(next) => !next && props.onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="overlay-fade fixed inset-0 z-40 bg-backdrop" />
        <Dialog.Popup
          aria-label={t('title')}
          finalFocus={props.focusAfter}
          className="overlay-fade fixed inset-x-0 top-0 z-50 mx-auto flex h-dvh flex-col overflow-hidden bg-surface shadow-overlay sm:top-[10vh] sm:h-auto sm:max-h-[76vh] sm:w-[calc(100vw-32px)] sm:max-w-[680px] sm:rounded-lg sm:border sm:border-border"
        >
          <PaletteBody {...props} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function PaletteBody({ text, onText, onClose, showKeys }: PaletteProps) {
  const { t } = useTranslation('palette');
  const input = useMemo(() => parsePaletteInput(text), [text]);
  const field = useRef<HTMLInputElement>(null);
  const results = usePaletteGroups(input, showKeys);
  const { groups, isStale, searchAll } = results;
  const follow = useFollow(onClose);
  const onKeyDown = useEnter({ first: groups[0]?.items[0], isStale, text, searchAll, follow });
  return (
    <Autocomplete.Root
      open
      inline
      items={groups}
      mode="none"
      filter={null}
      value={text}
      onValueChange={(next, { reason }) => reason !== 'item-press' && onText(next)}
      autoHighlight="always"
      keepHighlight
      itemToStringValue={({ text: label }) => label}
    >
      <div className="flex h-12 shrink-0 items-center gap-2 border-b border-border px-4">
        <Search aria-hidden className="size-4 shrink-0 text-muted" />
        <Autocomplete.Input
          ref={field}
          aria-label={t('shell:search_label')}
          placeholder={t('shell:search_placeholder')}
          maxLength={200}
          spellCheck={false}
          autoCapitalize="off"
          onKeyDownCapture={onKeyDown}
          className="h-full min-w-0 flex-1 bg-transparent text-answer outline-none placeholder:text-muted"
        />
        <Dialog.Close
          aria-label={t('ui:close')}
          className="-mr-2 inline-flex size-8 items-center justify-center rounded-md text-muted hover:bg-select hover:text-foreground"
        >
          <X aria-hidden className="size-4" />
        </Dialog.Close>
      </div>
      <PaletteStatus results={results} input={input} />
      <Autocomplete.List
        aria-label={t('results')}
        className="min-h-0 flex-1 scroll-py-2 overflow-y-auto overscroll-contain py-1 empty:py-0"
      >
        {(group: PaletteGroup) => (
          <Autocomplete.Group key={group.value} items={group.items}>
            <Autocomplete.GroupLabel className="px-4 pt-2 pb-0.5 text-xs tracking-[0.04em] text-muted">
              {t(`group.${group.value}`)}
            </Autocomplete.GroupLabel>
            <Autocomplete.Collection>
              {(item: PaletteItem) => <PaletteRow key={item.id} item={item} onFollow={follow} />}
            </Autocomplete.Collection>
          </Autocomplete.Group>
        )}
      </Autocomplete.List>
      <PaletteFooter
        onPrefix={(prefix) => {
          onText(prefix);
          field.current?.focus();
        }}
      />
    </Autocomplete.Root>
  );
}

interface PaletteStatusProps {
  results: ReturnType<typeof usePaletteGroups>;
  input: ReturnType<typeof parsePaletteInput>;
}

/** Says what is missing: an error, projects that are not ready, or that nothing matches. */
function PaletteStatus({ results, input }: PaletteStatusProps) {
  const { t } = useTranslation('palette');
  const { error, preparing, omitted, isStale, groups, isFile } = results;
  const isEmpty = !groups.some(({ value }) => value !== 'search');
  const notes = [
    ...(error ? [t('failed', { message: error.message })] : []),
    ...(preparing > 0 ? [t('preparing', { count: preparing })] : []),
    ...(omitted > 0 ? [t('omitted', { count: omitted })] : []),
    ...(input.mode === 'line' ? [t(isFile ? 'line_hint' : 'line_nowhere')] : []),
    ...(isEmpty && !isStale && !error && input.mode !== 'line'
      ? [t(input.mode === 'symbols' && input.q === '' ? 'symbols_hint' : 'nothing')]
      : []),
  ];
  return (
    <Autocomplete.Status className="shrink-0 text-muted not-empty:border-b not-empty:border-border not-empty:px-4 not-empty:py-2">
      {notes.join(' ')}
    </Autocomplete.Status>
  );
}

/** Follows an item once the palette has closed, so that the page has the focus back. */
function useFollow(onClose: () => void) {
  const navigate = useNavigate();
  return useCallback(
    (item: PaletteItem) => {
      onClose();
      if (item.to !== undefined) void navigate(item.to);
      else setTimeout(() => item.run?.());
    },
    [navigate, onClose],
  );
}

interface EnterOptions {
  first: PaletteItem | undefined;
  isStale: boolean;
  text: string;
  /** URL of the full search. */
  searchAll: string;
  follow: (item: PaletteItem) => void;
}

/** Enter waits for the results of the typed text; Ctrl-Enter and ⌘-Enter open the full search. */
function useEnter({ first, isStale, text, searchAll, follow }: EnterOptions) {
  const [waitsFor, setWaitsFor] = useState<string | null>(null);
  useEffect(() => {
    if (waitsFor === null || isStale) return;
    setWaitsFor(null);
    if (waitsFor === text && first) follow(first);
  });
  return (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    const isSearch = (event.ctrlKey || event.metaKey) && text.trim() !== '';
    if (!isSearch && !isStale) return;
    event.preventDefault();
    event.stopPropagation();
    if (isSearch) follow({ id: 'search', kind: 'search', text, to: searchAll });
    else setWaitsFor(text);
  };
}
