import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Impact } from '#contract/impact.ts';
import { apiQuery } from '../../api-query.ts';
import { useTranslation } from '../../i18n.ts';
import { commitUrl } from '../../parts/citation.ts';
import { Verbatim } from '../../parts/verbatim.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import type { EditorTab } from '../editor-tab.ts';
import type { Workspace } from '../use-workspace.ts';

interface ImpactPanelProps {
  workspace: Workspace;
  tab: EditorTab;
}

/** Impact of a change of the file: callers, tests, files that change with it, and what went wrong here. */
export function ImpactPanel({ workspace, tab }: ImpactPanelProps) {
  const { t } = useTranslation('impact');
  const query = useQuery({
    ...apiQuery('GET /projects/:id/impact', {
      params: { id: workspace.project.id },
      query: { path: tab.path },
    }),
    staleTime: 60_000,
  });
  return (
    <div className="flex flex-col gap-4 p-3">
      <QueryState
        query={query}
        loading={['64%', '48%', '70%', '52%']}
        isEmpty={isEmpty}
        empty={<p className="text-muted">{t('none')}</p>}
      >
        {(impact) => <ImpactLists workspace={workspace} impact={impact} />}
      </QueryState>
    </div>
  );
}

function isEmpty({ callers, tests, changes_with, regressions }: Impact): boolean {
  return callers.length + tests.length + changes_with.length + regressions.length === 0;
}

function ImpactLists({ workspace, impact }: { workspace: Workspace; impact: Impact }) {
  const { t } = useTranslation('impact');
  const { callers, caller_count, tests, changes_with, regressions } = impact;
  const open = (path: string, line?: number) =>
    void workspace.open(path, {
      ...(line !== undefined && { lines: { from: line, to: line } }),
      isPreview: true,
    });
  return (
    <>
      <List title={t('callers', { count: caller_count })} isShown={callers.length > 0}>
        {callers.map(({ path, line, uses, guessed }) => (
          <Place key={`${path}:${line} ${uses}`} path={path} line={line} onOpen={() => open(path, line)}>
            {uses}
            {guessed && ` (${t('guessed')})`}
          </Place>
        ))}
      </List>
      <List title={t('tests')} isShown={tests.length > 0}>
        {tests.map(({ path }) => (
          <Place key={path} path={path} onOpen={() => open(path)} />
        ))}
      </List>
      <List title={t('changes_with')} isShown={changes_with.length > 0}>
        {changes_with.map(({ path, together, of }) => (
          <Place key={path} path={path} onOpen={() => open(path)}>
            {t('together', { together, of })}
          </Place>
        ))}
      </List>
      <List title={t('regressions')} isShown={regressions.length > 0}>
        {regressions.map(({ hash, subject }) => (
          <li key={hash}>
            <Link
              to={commitUrl(workspace.project.id, hash)}
              className="block rounded-md px-1.5 py-1 wrap-anywhere hover:bg-select"
            >
              <span className="font-mono text-sm text-muted">{hash.slice(0, 7)}</span>{' '}
              <Verbatim text={subject} />
            </Link>
          </li>
        ))}
      </List>
    </>
  );
}

function List({ title, isShown, children }: { title: string; isShown: boolean; children: ReactNode }) {
  if (!isShown) return null;
  return (
    <section>
      <h3 className="mb-1">{title}</h3>
      <ul>{children}</ul>
    </section>
  );
}

interface PlaceProps {
  path: string;
  line?: number;
  onOpen: () => void;
  children?: ReactNode;
}

function Place({ path, line, onOpen, children }: PlaceProps) {
  return (
    <li>
      <button
        type="button"
        onClick={onOpen}
        title={line === undefined ? path : `${path}:${line}`}
        className="block w-full rounded-md px-1.5 py-1 text-left hover:bg-select"
      >
        <span className="block truncate text-sm">
          <Verbatim text={path} />
          {line !== undefined && `:${line}`}
        </span>
        {children && <span className="block truncate text-sm text-muted">{children}</span>}
      </button>
    </li>
  );
}
