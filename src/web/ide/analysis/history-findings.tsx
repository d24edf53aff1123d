import type { UseQueryResult } from '@tanstack/react-query';
import { FilePlus2, Flame, History } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { FileRisks, FixedLines } from '#contract/analysis.ts';
import { useTranslation } from '../../i18n.ts';
import { TimeAgo } from '../../parts/age-mark.tsx';
import { commitUrl } from '../../parts/citation.ts';
import { useNow } from '../../parts/use-now.ts';
import { Verbatim } from '../../parts/verbatim.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import type { EditorTab } from '../editor-tab.ts';
import { currentLine } from '../saved-text.ts';
import type { Workspace } from '../use-workspace.ts';
import { changedFixedLines } from './finding-marks.ts';
import { goToFinding } from './go-to-finding.ts';

/** Fixes that are listed where none of their lines is changed. */
const MAX_FIXES = 8;

interface HistoryFindingsProps {
  workspace: Workspace;
  tab: EditorTab;
  risks: UseQueryResult<FileRisks>;
}

/** Risks of changing the file by its history: lines of earlier fixes, its activity, files that change with it. */
export function HistoryFindings({ workspace, tab, risks }: HistoryFindingsProps) {
  const { t } = useTranslation('analysis');
  if (tab.base === null) return null;
  return (
    <section aria-labelledby="history-findings" className="mt-4">
      <h2 id="history-findings" className="mb-1">
        {t('history.heading')}
      </h2>
      <QueryState
        query={risks}
        loading={['60%', '45%']}
        isEmpty={({ fixed_lines: fixed, hotspot, companions }) =>
          fixed.length === 0 && hotspot === null && companions.length === 0
        }
        empty={<p className="text-muted">{t('history.none')}</p>}
      >
        {(found) => <Risks workspace={workspace} tab={tab} found={found} />}
      </QueryState>
    </section>
  );
}

function Risks({ workspace, tab, found }: { workspace: Workspace; tab: EditorTab; found: FileRisks }) {
  const { t } = useTranslation('analysis');
  const { hotspot } = found;
  const edited = new Set(workspace.tabs.filter((one) => one.dirty).map((one) => one.path));
  const companions = found.companions.filter(({ path }) => !edited.has(path));
  return (
    <ul className="flex flex-col">
      <FixedLineRows workspace={workspace} tab={tab} fixedLines={found.fixed_lines} />
      {hotspot && (
        <Row icon={<Flame aria-hidden className="size-4" />}>
          {t('history.hotspot', { count: hotspot.commits, rank: hotspot.rank })}{' '}
          {hotspot.fixes > 0 && t('history.hotspot_fixes', { count: hotspot.fixes })}
        </Row>
      )}
      {companions.map(({ path, together, of }) => (
        <Row key={path} icon={<FilePlus2 aria-hidden className="size-4" />}>
          <button
            type="button"
            className="link text-left font-mono text-code wrap-anywhere"
            onClick={() => void workspace.open(path, { isPreview: true })}
          >
            <Verbatim text={path} />
          </button>{' '}
          {t('history.companion', { together, of })}
        </Row>
      ))}
    </ul>
  );
}

interface FixedLineRowsProps {
  workspace: Workspace;
  tab: EditorTab;
  fixedLines: readonly FixedLines[];
}

/** Lines of earlier fixes: those that are being changed, or the newest ones. */
function FixedLineRows({ workspace, tab, fixedLines }: FixedLineRowsProps) {
  const { t } = useTranslation('analysis');
  const now = useNow();
  const state = workspace.documentOf(tab.path);
  if (!state || !tab.saved) return null;
  const { saved } = tab;
  const changed = changedFixedLines(state, saved, fixedLines);
  const newest = fixedLines
    .toSorted((a, b) => b.timestamp.localeCompare(a.timestamp))
    .slice(0, MAX_FIXES)
    .flatMap((lines) => {
      const at = currentLine(state, saved, lines.line);
      return at === null ? [] : [{ at, lines }];
    });
  const shown = changed.length > 0 ? changed : newest;
  return shown.map(({ at, lines }) => (
    <Row key={`${lines.line} ${lines.hash}`} icon={<History aria-hidden className="size-4" />}>
      <button type="button" className="link text-left" onClick={() => goToFinding(workspace, { line: at })}>
        {t('history.line', { count: lines.lines, line: at, last: at + lines.lines - 1 })}
      </button>{' '}
      {t(changed.length > 0 ? 'history.fixed_changed' : 'history.fixed')}{' '}
      <Link to={commitUrl(workspace.project.id, lines.hash)} className="link wrap-anywhere">
        <Verbatim text={lines.subject} max={120} />
      </Link>{' '}
      <span className="text-muted">
        <span className="font-mono">{lines.hash.slice(0, 7)}</span> · <Verbatim text={lines.author} /> ·{' '}
        <TimeAgo timestamp={lines.timestamp} now={now} />
      </span>
    </Row>
  ));
}

function Row({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="flex min-h-8 items-start gap-2 px-1 py-1.5">
      <span className="mt-0.5 shrink-0 text-muted">{icon}</span>
      <span className="min-w-0 flex-1 wrap-anywhere">{children}</span>
    </li>
  );
}
