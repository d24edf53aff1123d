import { Autocomplete } from '@base-ui/react/autocomplete';
import { clsx } from 'clsx';
import {
  Braces,
  Bug,
  ChevronRight,
  CircleDot,
  CornerDownRight,
  FileCode,
  FolderGit2,
  GitCommitHorizontal,
  History,
  type LucideIcon,
  MessageSquare,
  Search,
} from 'lucide-react';
import { type MouseEvent, memo } from 'react';
import { Link } from 'react-router';
import { Verbatim } from '../parts/verbatim.tsx';
import { Kbd } from '../ui/kbd.tsx';
import type { ItemKind, PaletteItem } from './palette-items.ts';

const ICONS: Record<ItemKind, LucideIcon> = {
  recent: History,
  projects: FolderGit2,
  files: FileCode,
  symbols: Braces,
  commits: GitCommitHorizontal,
  issues: CircleDot,
  errors: Bug,
  chats: MessageSquare,
  actions: ChevronRight,
  pages: CornerDownRight,
  search: Search,
};

interface PaletteRowProps {
  item: PaletteItem;
  onFollow: (item: PaletteItem) => void;
}

/** An option of the palette; a link where it has a URL, so that it can be opened in a new tab. */
export const PaletteRow = memo(function PaletteRow({ item, onFollow }: PaletteRowProps) {
  const { kind, text, detail, to, keys = [], positions } = item;
  const Icon = ICONS[kind];
  const isCode = kind === 'files' || kind === 'symbols';
  const onClick = (event: MouseEvent) => {
    // The browser opens a new tab.
    if (to !== undefined && (event.metaKey || event.ctrlKey || event.shiftKey)) return;
    event.preventDefault();
    onFollow(item);
  };
  return (
    <Autocomplete.Item
      value={item}
      onClick={onClick}
      render={to === undefined ? undefined : <Link to={to} />}
      className="flex h-8 cursor-default items-center gap-3 px-4 outline-none select-none data-highlighted:bg-select"
    >
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <span className={clsx('min-w-0 truncate', isCode && 'font-mono text-sm')} title={text}>
        <Marked text={text} positions={positions} />
      </span>
      {detail && (
        <span className="ml-auto max-w-[45%] min-w-0 shrink-0 truncate text-sm text-muted" title={detail}>
          <Verbatim text={detail} />
        </span>
      )}
      {keys.length > 0 && (
        <span className={clsx('flex shrink-0 gap-1 max-sm:hidden', !detail && 'ml-auto')}>
          {keys.map((key) => (
            <Kbd key={key}>{key}</Kbd>
          ))}
        </span>
      )}
    </Autocomplete.Item>
  );
});

/** Text with the matching characters in bold. */
function Marked({ text, positions = [] }: { text: string; positions: readonly number[] | undefined }) {
  if (positions.length === 0) return <Verbatim text={text} />;
  const marked = new Set(positions);
  const runs: { text: string; isMarked: boolean; at: number }[] = [];
  for (let at = 0; at < text.length; at++) {
    const last = runs.at(-1);
    if (last && last.isMarked === marked.has(at)) last.text += text[at];
    else runs.push({ text: text[at]!, isMarked: marked.has(at), at });
  }
  return runs.map((run) =>
    run.isMarked ? (
      <b key={run.at} className="font-bold text-action">
        {run.text}
      </b>
    ) : (
      <Verbatim key={run.at} text={run.text} />
    ),
  );
}
