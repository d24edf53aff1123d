import { useQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { FileDiff } from '#contract/projects.ts';
import { apiQuery } from '../../api-query.ts';
import { useTranslation } from '../../i18n.ts';
import { AgeBar, TimeAgo } from '../../parts/age-mark.tsx';
import { commitUrl, editorUrl } from '../../parts/citation.ts';
import { FileDiffView } from '../../parts/file-diff-view.tsx';
import { useNow } from '../../parts/use-now.ts';
import { Verbatim } from '../../parts/verbatim.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { useCursor, useCursorLine } from '../cursor-store.ts';
import type { EditorTab } from '../editor-tab.ts';
import { savedLine } from '../saved-text.ts';
import type { Workspace } from '../use-workspace.ts';
import { useSymbolsAround } from './use-outline.ts';

/** A commit of a history; without hunks, they are loaded when it is opened. */
interface HistoryEntry {
  hash: string;
  subject: string;
  author: string;
  timestamp: string;
  path: string;
  hunks?: FileDiff['hunks'];
}

interface HistoryPanelProps {
  workspace: Workspace;
  tab: EditorTab;
}

/** Commits that changed the file, the function at the cursor, or the selected lines. */
export function HistoryPanel({ workspace, tab }: HistoryPanelProps) {
  const { t } = useTranslation('editor');
  const [scope, setScope] = useState<'file' | 'function' | 'selection'>('file');
  if (tab.base === null) return <p className="p-3 text-muted">{t('history.new_file')}</p>;
  return (
    <div className="flex flex-col gap-3 py-3">
      <div className="px-3">
        <SegmentedControl
          legend={<span className="sr-only">{t('history.scope')}</span>}
          options={{
            file: t('history.file'),
            function: t('history.function'),
            selection: t('history.selection'),
          }}
          value={scope}
          onChange={setScope}
        />
      </div>
      {scope === 'file' && <FileHistory workspace={workspace} tab={tab} />}
      {scope === 'function' && <FunctionHistory workspace={workspace} tab={tab} />}
      {scope === 'selection' && <SelectionHistory workspace={workspace} tab={tab} />}
    </div>
  );
}

const LOADING = ['70%', '52%', '64%', '48%'];

function FileHistory({ workspace, tab }: HistoryPanelProps) {
  const { t } = useTranslation('editor');
  const { id } = workspace.project;
  const query = useQuery({
    ...apiQuery('GET /projects/:id/versions/*', { params: { id, '*': tab.path } }),
    staleTime: 60_000,
  });
  return (
    <QueryState query={query} loading={LOADING} errorClassName="mx-3">
      {({ versions, total }) => (
        <EntryList
          projectId={id}
          entries={versions}
          note={total > versions.length ? t('history.newest', { count: versions.length, total }) : null}
        />
      )}
    </QueryState>
  );
}

function FunctionHistory({ workspace, tab }: HistoryPanelProps) {
  const { t } = useTranslation('editor');
  const { id } = workspace.project;
  const symbol = useSymbolsAround(workspace, tab, useCursorLine(workspace.cursor)).at(-1);
  const query = useQuery({
    ...apiQuery('GET /projects/:id/functions/*', {
      params: { id, '*': tab.path },
      query: { name: symbol?.name ?? '' },
    }),
    enabled: symbol !== undefined,
    staleTime: 60_000,
  });
  if (!symbol) return <p className="px-3 text-muted">{t('history.no_function')}</p>;
  return (
    <>
      <h3 className="truncate px-3 font-mono text-code" title={symbol.name}>
        <Verbatim text={symbol.name} />
      </h3>
      <QueryState query={query} loading={LOADING} errorClassName="mx-3">
        {({ changes, complete }) => (
          <EntryList
            projectId={id}
            entries={changes.map(({ diff, ...change }) => ({ ...change, hunks: diff }))}
            note={complete ? null : t('history.incomplete')}
          />
        )}
      </QueryState>
    </>
  );
}

function SelectionHistory({ workspace, tab }: HistoryPanelProps) {
  const { t } = useTranslation('editor');
  const { project } = workspace;
  const lines = useSavedLines(workspace, tab);
  const [from, to] = [lines?.from ?? 1, lines?.to ?? 1];
  const query = useQuery({
    ...apiQuery('GET /ide/projects/:id/line-history/*', {
      params: { id: project.id, '*': tab.path },
      query: { ref: tab.base ?? undefined, first_line: String(from), last_line: String(to) },
    }),
    enabled: lines !== null,
    staleTime: 60_000,
  });
  if (!lines) return <p className="px-3 text-muted">{t('history.unsaved_lines')}</p>;
  return (
    <>
      <h3 className="px-3 text-muted">
        {from === to ? t('history.line', { line: from }) : t('history.lines', { from, to })}
      </h3>
      <QueryState query={query} loading={LOADING} errorClassName="mx-3">
        {({ commits, complete }) => (
          <EntryList
            projectId={project.id}
            entries={commits}
            note={complete ? null : t('history.incomplete')}
          />
        )}
      </QueryState>
    </>
  );
}

/** Selected lines as they are numbered in the saved text; null where all of them were added. */
function useSavedLines(workspace: Workspace, tab: EditorTab): { from: number; to: number } | null {
  const cursor = useCursor(workspace.cursor);
  const state = workspace.documentOf(tab.path);
  if (!cursor || !state || !tab.saved || cursor.to > state.doc.lines) return null;
  const found: number[] = [];
  for (const line of [cursor.from, cursor.to]) {
    const saved = savedLine(state, tab.saved, line);
    if (saved !== null) found.push(saved);
  }
  return found.length === 0 ? null : { from: Math.min(...found), to: Math.max(...found) };
}

interface EntryListProps {
  projectId: string;
  entries: readonly HistoryEntry[];
  note: string | null;
}

function EntryList({ projectId, entries, note }: EntryListProps) {
  const { t } = useTranslation('editor');
  const [opened, setOpened] = useState<string | null>(null);
  if (entries.length === 0) return <p className="px-3 text-muted">{t('history.none')}</p>;
  return (
    <>
      <ul>
        {entries.map((entry) => (
          <li key={entry.hash}>
            <EntryRow
              entry={entry}
              isOpen={entry.hash === opened}
              onToggle={() => setOpened(entry.hash === opened ? null : entry.hash)}
            />
            {entry.hash === opened && <EntryChange projectId={projectId} entry={entry} />}
          </li>
        ))}
      </ul>
      {note && <p className="px-3 text-sm text-muted">{note}</p>}
    </>
  );
}

interface EntryRowProps {
  entry: HistoryEntry;
  isOpen: boolean;
  onToggle: () => void;
}

function EntryRow({ entry, isOpen, onToggle }: EntryRowProps) {
  const { t } = useTranslation('editor');
  const now = useNow();
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={onToggle}
      className="flex w-full text-left hover:bg-select focus-visible:-outline-offset-2"
    >
      <AgeBar timestamp={entry.timestamp} now={now} />
      <span className="min-w-0 flex-1 px-2.5 py-1.5">
        <span className="block truncate" title={entry.subject}>
          <Verbatim text={entry.subject || t('history.no_message')} />
        </span>
        <span className="flex gap-2 text-sm text-muted">
          <span className="min-w-0 flex-1 truncate">
            <Verbatim text={entry.author} />
          </span>
          <TimeAgo timestamp={entry.timestamp} now={now} />
        </span>
      </span>
      <ChevronRight
        aria-hidden
        className={`mt-2.5 mr-2 size-3.5 shrink-0 text-muted ${isOpen ? 'rotate-90' : ''}`}
      />
    </button>
  );
}

/** Difference of a commit in the file, with links to the commit and to the file as it was. */
function EntryChange({ projectId, entry }: { projectId: string; entry: HistoryEntry }) {
  const { t } = useTranslation('editor');
  const { hash, path, timestamp, hunks } = entry;
  const query = useQuery({
    ...apiQuery('GET /projects/:id/changes/*', {
      params: { id: projectId, '*': path },
      query: { commit: hash },
    }),
    enabled: hunks === undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const known = hunks && { old_path: path, new_path: path, binary: false, truncated: false, hunks };
  return (
    <div className="flex flex-col gap-2 border-y border-border bg-background p-2">
      <p className="flex flex-wrap gap-x-4 gap-y-1 px-1 text-sm">
        <Link to={commitUrl(projectId, hash)} className="link">
          {t('history.commit', { hash: hash.slice(0, 7) })}
        </Link>
        <Link to={editorUrl(projectId, path, { ref: hash })} className="link">
          {t('history.open')}
        </Link>
      </p>
      {known ? (
        <FileDiffView file={known} timestamp={timestamp} wrap={false} />
      ) : (
        <QueryState query={query} loading={LOADING}>
          {({ file }) =>
            file ? (
              <FileDiffView file={file} timestamp={timestamp} wrap={false} />
            ) : (
              <p className="text-muted">{t('history.no_change')}</p>
            )
          }
        </QueryState>
      )}
    </div>
  );
}
