import { clsx } from 'clsx';
import { useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import type { BranchConflict } from '#contract/branch-updates.ts';
import type { Project } from '#contract/projects.ts';
import { useTranslation } from '../../i18n.ts';
import { ProjectLoader } from '../../parts/project-loader.tsx';
import { Verbatim } from '../../parts/verbatim.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageTitle } from '../../ui/page-header.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useEditorSettings } from '../editor-settings.ts';
import { Overlay } from '../overlay.tsx';
import { ConflictFile } from './conflict-file.tsx';
import { MovedNotice } from './moved-notice.tsx';
import type { SideNames } from './sides.ts';
import { fileKey } from './stored-resolutions.ts';
import { type Conflicts, type Operation, useConflicts } from './use-conflicts.ts';
import { WholeFileChoice } from './whole-file-choice.tsx';

/** `/ide/:projectId/conflicts`: conflicts of an update (`?branch=&method=&head=&upstream=`) or a revert (`?revert=`). */
export function Component() {
  const { t } = useTranslation('conflicts');
  const { projectId = '' } = useParams();
  const [query] = useSearchParams();
  const operation = readOperation(projectId, query);
  return (
    <ProjectLoader id={projectId}>
      {(project) => (
        <>
          <PageTitle>{t('title')}</PageTitle>
          {operation ? (
            <ConflictWorkbench key={query.toString()} project={project} operation={operation} />
          ) : (
            <>
              <h1 className="mb-6">{t('title')}</h1>
              <EmptyState
                title={t('no_operation')}
                action={<ButtonLink to={`/projects/${projectId}/branches`}>{t('to_branches')}</ButtonLink>}
              >
                {t('no_operation_text')}
              </EmptyState>
            </>
          )}
        </>
      )}
    </ProjectLoader>
  );
}

function readOperation(projectId: string, query: URLSearchParams): Operation | null {
  const [branch, head, commit] = [query.get('branch'), query.get('head'), query.get('revert')];
  if (!branch || !head) return null;
  const target = { projectId, branch, head };
  if (commit) return { ...target, kind: 'revert', commit, sessionId: query.get('session') };
  const [kind, upstream] = [query.get('method'), query.get('upstream')];
  if ((kind !== 'merge' && kind !== 'rebase') || !upstream) return null;
  return { ...target, kind, upstream };
}

function ConflictWorkbench({ project, operation }: { project: Project; operation: Operation }) {
  const { t } = useTranslation('conflicts');
  const navigate = useNavigate();
  const toast = useToast();
  const branches = `/projects/${project.id}/branches`;
  const { kind, branch } = operation;
  const work = useConflicts(operation, () => {
    toast(t(`done.${kind}`, { branch }));
    void navigate(branches);
  });
  const { query } = work;
  const { settings } = useEditorSettings();
  const upstream = kind === 'revert' ? operation.commit.slice(0, 7) : (project.branch ?? '');
  const suffix = kind === 'revert' ? '_revert' : '';
  const sides = {
    ours: t('ours'),
    theirs: t(`theirs${suffix}`, { upstream }),
    take: { ours: t('take_ours'), theirs: t(`take_theirs${suffix}`, { upstream }) },
  };
  return (
    <Overlay
      title={t(`heading.${kind}`, { upstream })}
      aside={<span className="font-mono text-code">{branch}</span>}
      isDark={settings.theme === 'dark'}
      onClose={() => void navigate(branches)}
    >
      {query.error && <MovedNotice error={query.error} operation={operation} />}
      {query.isPending && <Skeleton rows={['40%', '64%', '52%']} />}
      {query.data?.isDone && (
        <EmptyState
          title={t(`done.${kind}`, { branch })}
          action={<ButtonLink to={branches}>{t('to_branches')}</ButtonLink>}
        >
          {t('no_conflicts')}
        </EmptyState>
      )}
      {query.data && !query.data.isDone && (
        <ConflictPanes work={work} data={query.data} operation={operation} sides={sides} />
      )}
    </Overlay>
  );
}

interface ConflictPanesProps {
  work: ReturnType<typeof useConflicts>;
  data: Conflicts;
  operation: Operation;
  sides: SideNames;
}

/** The list of files with the button that finishes, beside the selected file. */
function ConflictPanes({ work, data, operation, sides }: ConflictPanesProps) {
  const { t } = useTranslation('conflicts');
  const [path, setPath] = useState<string | null>(null);
  const { conflicts, finish } = work;
  const { kind } = operation;
  return (
    <div className="flex min-h-0 flex-1 flex-col bg-surface text-foreground md:flex-row">
      <aside className="flex max-h-[40%] w-full shrink-0 flex-col border-border max-md:border-b md:max-h-none md:w-72 md:border-r">
        <FileList
          data={data}
          selected={path ?? conflicts[0]?.path ?? null}
          isResolved={(conflict) => work.progressOf(conflict).isResolved}
          onSelect={setPath}
        />
        <footer className="flex flex-col gap-2 border-t border-border p-3">
          {!work.isStored && <Notice kind="warning">{t('not_stored')}</Notice>}
          {finish.error && <MovedNotice error={finish.error} operation={operation} />}
          <Button
            kind="primary"
            loading={finish.isPending}
            disabled={!work.isResolved || data.conflicts_omitted > 0}
            onClick={() => finish.mutate()}
          >
            {t(`finish.${kind}`)}
          </Button>
          <p className="text-sm text-muted">{t('kept')}</p>
        </footer>
      </aside>
      <SelectedFile
        key={`${data.stopped_at?.hash} ${path}`}
        conflict={conflicts.find((one) => one.path === path) ?? conflicts[0]}
        work={work}
        sides={sides}
      />
    </div>
  );
}

interface FileListProps {
  data: Conflicts;
  selected: string | null;
  isResolved: (conflict: BranchConflict) => boolean;
  onSelect: (path: string) => void;
}

function FileList({ data, selected, isResolved, onSelect }: FileListProps) {
  const { t } = useTranslation('conflicts');
  const { conflicts, conflicts_omitted: omitted, stopped_at: stopped, steps } = data;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      {stopped && steps && (
        <p className="border-b border-border px-3 py-2 text-sm">
          {t('step', { step: steps.step, total: steps.total })}{' '}
          <span className="font-mono">{stopped.hash.slice(0, 7)}</span> <Verbatim text={stopped.message} />
        </p>
      )}
      <h2 className="px-3 pt-3 pb-1">{t('files', { count: conflicts.length + omitted })}</h2>
      {omitted > 0 && <Notice className="m-2">{t('too_many', { count: omitted })}</Notice>}
      <ul>
        {conflicts.map((conflict) => (
          <li key={conflict.path}>
            <button
              type="button"
              aria-current={conflict.path === selected || undefined}
              className={clsx(
                'flex min-h-8 w-full items-center gap-2 px-3 py-1 text-left hover:bg-select focus-visible:-outline-offset-2',
                conflict.path === selected && 'bg-select',
              )}
              onClick={() => onSelect(conflict.path)}
            >
              <span className="min-w-0 flex-1 font-mono text-sm wrap-anywhere">
                <Verbatim text={conflict.path} />
              </span>
              <StateMark state={isResolved(conflict) ? 'solved' : 'conflict'}>
                {t(isResolved(conflict) ? 'resolved' : 'open')}
              </StateMark>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface SelectedFileProps {
  conflict: BranchConflict | undefined;
  work: ReturnType<typeof useConflicts>;
  sides: SideNames;
}

function SelectedFile({ conflict, work, sides }: SelectedFileProps) {
  if (!conflict) return null;
  const { resolvable, missing, path } = conflict;
  const Editor = !resolvable || missing.ours || missing.theirs ? WholeFileChoice : ConflictFile;
  return (
    <section aria-label={path} className="flex min-h-0 min-w-0 flex-1 flex-col">
      <Editor
        key={fileKey(conflict)}
        conflict={conflict}
        progress={work.progressOf(conflict)}
        sides={sides}
        onProgress={(progress) => work.setProgress(conflict, progress)}
      />
    </section>
  );
}
