import { clsx } from 'clsx';
import type { CodeSymbol } from '#contract/code.ts';
import { useTranslation } from '../../i18n.ts';
import { Verbatim } from '../../parts/verbatim.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { useCursorLine } from '../cursor-store.ts';
import type { EditorTab } from '../editor-tab.ts';
import type { Workspace } from '../use-workspace.ts';
import { symbolAtLine, useOutline } from './use-outline.ts';

/** Definitions of the file in the order of its lines; the one at the cursor is marked. */
export function OutlinePanel({ workspace, tab }: { workspace: Workspace; tab: EditorTab }) {
  const { t } = useTranslation('editor');
  const outline = useOutline(workspace, tab);
  if (tab.base === null) return <p className="p-3 text-muted">{t('outline.new_file')}</p>;
  return (
    <QueryState
      query={outline}
      errorClassName="m-3"
      loading={['60%', '44%', '52%', '38%']}
      isEmpty={({ symbols }) => symbols.length === 0}
      empty={<p className="p-3 text-muted">{t('outline.none')}</p>}
    >
      {({ symbols }) => <SymbolList workspace={workspace} path={tab.path} symbols={symbols} />}
    </QueryState>
  );
}

interface SymbolListProps {
  workspace: Workspace;
  path: string;
  symbols: readonly CodeSymbol[];
}

function SymbolList({ workspace, path, symbols }: SymbolListProps) {
  const { t } = useTranslation('editor');
  const current = symbolAtLine(symbols, useCursorLine(workspace.cursor));
  return (
    <ul aria-label={t('panel.outline')} className="py-1">
      {nestSymbols(symbols).map(({ symbol, depth, name }) => (
        <li key={`${symbol.start} ${symbol.name}`}>
          <button
            type="button"
            aria-current={symbol === current || undefined}
            onClick={() => {
              void workspace.open(path, { lines: { from: symbol.start, to: symbol.start } });
              workspace.view.current?.focus();
            }}
            className={clsx(
              'flex h-7 w-full items-center gap-2 pr-3 text-left font-mono text-code hover:bg-select focus-visible:-outline-offset-2',
              symbol === current && 'bg-select font-medium',
            )}
            style={{ paddingLeft: 12 + 14 * depth }}
          >
            <span className="min-w-0 flex-1 truncate" title={symbol.name}>
              <Verbatim text={name} />
            </span>
            <span className="text-sm text-muted tabular-nums">{symbol.start}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Definitions with their depth and their name without that of the definition around them, in the order of their first lines. */
function nestSymbols(symbols: readonly CodeSymbol[]) {
  let open: CodeSymbol[] = [];
  return symbols.map((symbol) => {
    open = open.filter(({ end }) => end >= symbol.start);
    const around = open.filter(({ container, end }) => container && symbol.end <= end);
    open.push(symbol);
    return { symbol, depth: around.length, name: shortName(symbol, around.at(-1)) };
  });
}

function shortName({ name }: CodeSymbol, around: CodeSymbol | undefined): string {
  const rest = around && name.startsWith(around.name) ? name.slice(around.name.length) : '';
  return /^(?:\.|::|#)./.test(rest) ? rest.replace(/^(?:\.|::|#)/, '') : name;
}
