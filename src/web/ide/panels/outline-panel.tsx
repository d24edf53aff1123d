import { clsx } from 'clsx';
import type { CodeSymbol } from '#contract/code.ts';
import { useTranslation } from '../../i18n.ts';
import { Verbatim } from '../../parts/verbatim.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { useCursor } from '../cursor-store.ts';
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
  const current = symbolAtLine(symbols, useCursor(workspace.cursor)?.line ?? 0);
  return (
    <ul aria-label={t('panel.outline')} className="py-1">
      {symbols.map((symbol) => (
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
            style={{ paddingLeft: 12 + 14 * depthOf(symbol, symbols) }}
          >
            <span className="min-w-0 flex-1 truncate" title={symbol.name}>
              <Verbatim text={shortName(symbol, symbols)} />
            </span>
            <span className="text-sm text-muted tabular-nums">{symbol.start}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function depthOf(symbol: CodeSymbol, symbols: readonly CodeSymbol[]): number {
  return symbols.filter((other) => isInside(symbol, other)).length;
}

/** Name without that of the definition around it. */
function shortName(symbol: CodeSymbol, symbols: readonly CodeSymbol[]): string {
  const around = symbols.findLast((other) => isInside(symbol, other));
  const isPrefixed =
    around &&
    symbol.name.startsWith(around.name) &&
    /^(?:\.|::|#)./.test(symbol.name.slice(around.name.length));
  return isPrefixed ? symbol.name.slice(around.name.length).replace(/^(?:\.|::|#)/, '') : symbol.name;
}

function isInside(symbol: CodeSymbol, other: CodeSymbol): boolean {
  return other !== symbol && other.container && other.start <= symbol.start && symbol.end <= other.end;
}
