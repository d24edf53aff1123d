import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Braces, FileCode } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import type { CodeSymbol } from '#contract/code.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { baseName, type LineSpan } from './editor-tab.ts';
import { useOutline } from './panels/use-outline.ts';
import type { Workspace } from './use-workspace.ts';

interface QuickOpenProps {
  workspace: Workspace;
  /** Typed before: `@` for names of the file, `:` for a line. */
  initialText: string;
  onClose: () => void;
}

/** A file or a name to go to. */
interface Target {
  id: string;
  path: string;
  text: string;
  detail: string;
  lines: LineSpan | undefined;
  isSymbol: boolean;
}

/** Dialog that opens a file by name, as in `route.js:120`; `@` goes to a name in the open file and `:` to a line. */
export function QuickOpen({ workspace, initialText, onClose }: QuickOpenProps) {
  const { t } = useTranslation('editor');
  const [text, setText] = useState(initialText);
  const { targets, isLoading, error, preparing } = useTargets(workspace, text);
  const [first] = targets;
  const open = (target: Target) => {
    onClose();
    // The dialog gives the focus back first.
    setTimeout(() => void workspace.open(target.path, { lines: target.lines }));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && isLoading) event.preventDefault();
  };
  return (
    <Dialog.Root open onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40" />
        <Dialog.Popup
          aria-label={t('quick_open.title')}
          className="overlay-fade fixed inset-x-2 top-14 z-50 mx-auto flex max-h-[70vh] max-w-[620px] flex-col overflow-hidden rounded-lg border border-border bg-surface text-foreground shadow-overlay"
        >
          <Autocomplete.Root
            open
            inline
            items={targets}
            mode="none"
            filter={null}
            value={text}
            onValueChange={(next, { reason }) => reason !== 'item-press' && setText(next)}
            autoHighlight="always"
            keepHighlight
            itemToStringValue={({ text: label }: Target) => label}
          >
            <Autocomplete.Input
              aria-label={t('quick_open.title')}
              placeholder={t('quick_open.placeholder')}
              maxLength={200}
              spellCheck={false}
              autoCapitalize="off"
              onKeyDownCapture={onKeyDown}
              className="h-11 w-full shrink-0 border-b border-border bg-transparent px-4 font-mono text-code outline-none placeholder:font-sans placeholder:text-muted"
            />
            <Autocomplete.Status className="shrink-0 text-sm text-muted not-empty:px-4 not-empty:py-2">
              {error && t('quick_open.failed', { message: error.message })}
              {preparing && t('quick_open.preparing')}
              {!error && !preparing && !isLoading && !first && t('quick_open.none')}
            </Autocomplete.Status>
            <Autocomplete.List
              aria-label={t('quick_open.results')}
              className="min-h-0 flex-1 overflow-y-auto py-1 empty:py-0"
            >
              {(target: Target) => <TargetRow key={target.id} target={target} onOpen={open} />}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function TargetRow({ target, onOpen }: { target: Target; onOpen: (target: Target) => void }) {
  const Icon = target.isSymbol ? Braces : FileCode;
  return (
    <Autocomplete.Item
      value={target}
      onClick={() => onOpen(target)}
      className="flex h-8 cursor-default items-center gap-3 px-4 outline-none select-none data-highlighted:bg-select"
    >
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <span className="shrink-0 font-mono text-sm">
        <Verbatim text={target.text} max={80} />
      </span>
      <span className="ml-auto min-w-0 truncate font-mono text-sm text-muted" title={target.detail}>
        <Verbatim text={target.detail} />
      </span>
    </Autocomplete.Item>
  );
}

/** Files and names for an input: open files first, then those of the project. */
function useTargets(workspace: Workspace, text: string) {
  const { project, tabs, tab } = workspace;
  const isSymbols = text.startsWith('@');
  const isLine = text.startsWith(':');
  const [, name = text, line] = (!isSymbols && !isLine && /^(.*\S):(\d{1,7})$/.exec(text)) || [];
  const lines = line === undefined ? undefined : { from: Number(line), to: Number(line) };
  const query = useQuery({
    ...apiQuery('GET /palette', { query: { q: name.trim(), kind: 'all', project_id: project.id } }),
    enabled: !isSymbols && !isLine,
    placeholderData: keepPreviousData,
    retry: false,
    refetchInterval: ({ state }) => (state.data && state.data.preparing > 0 ? PREPARING_POLL_MS : false),
  });
  const outline = useOutline(workspace, isSymbols ? tab : null);
  const known = { isLoading: false, error: null, preparing: false };
  if (isLine) {
    const wanted = Number.parseInt(text.slice(1), 10);
    const targets = tab && wanted > 0 ? [lineTarget(tab.path, wanted)] : [];
    return { ...known, targets };
  }
  if (isSymbols) {
    const targets = tab ? symbolTargets(outline.data?.symbols ?? [], tab.path, text.slice(1).trim()) : [];
    return { ...known, targets, isLoading: outline.isLoading, error: outline.error };
  }
  const open = tabs.map(({ path }) => path).filter((path) => isMatch(path, name.trim()));
  const found = name.trim() === '' ? [] : (query.data?.files ?? []);
  const paths = [...open, ...found.filter((file) => file.project_id === project.id).map(({ path }) => path)];
  return {
    targets: [...new Set(paths)].map((path) => fileTarget(path, lines)),
    isLoading: name.trim() !== '' && (query.isPlaceholderData || query.isLoading),
    error: query.error,
    preparing: (query.data?.preparing ?? 0) > 0,
  };
}

const PREPARING_POLL_MS = 700;

function isMatch(path: string, name: string): boolean {
  let at = 0;
  for (const character of name.toLowerCase()) {
    at = path.toLowerCase().indexOf(character, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

function fileTarget(path: string, lines: LineSpan | undefined): Target {
  const text = baseName(path);
  return { id: path, path, text, detail: path.slice(0, -text.length - 1), lines, isSymbol: false };
}

function lineTarget(path: string, line: number): Target {
  return {
    id: `:${line}`,
    path,
    text: `${baseName(path)}:${line}`,
    detail: '',
    lines: { from: line, to: line },
    isSymbol: false,
  };
}

function symbolTargets(symbols: readonly CodeSymbol[], path: string, name: string): Target[] {
  return symbols
    .filter((symbol) => isMatch(symbol.name, name))
    .map(({ name: text, start }) => ({
      id: `@${start} ${text}`,
      ...{ path, text, detail: `:${start}`, lines: { from: start, to: start }, isSymbol: true },
    }));
}
