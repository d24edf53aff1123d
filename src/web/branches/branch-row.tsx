import { useMutation } from '@tanstack/react-query';
import { Ellipsis } from 'lucide-react';
import { Link } from 'react-router';
import type { OwnBranch, PullRequest } from '#contract/branches.ts';
import type { Project } from '#contract/projects.ts';
import { useTranslation } from '../i18n.ts';
import { commitUrl } from '../parts/citation.ts';
import { downloadFile } from '../parts/download-file.ts';
import { LazyMenu } from '../parts/lazy-menu.tsx';
import { Verbatim } from '../parts/verbatim.tsx';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { StateMark } from '../ui/state-mark.tsx';
import { isRemoteProject } from './is-remote-project.ts';

/** Dialogs of a branch. */
export type BranchDialog = 'push' | 'pull' | 'update' | 'rename' | 'delete' | 'export';

interface BranchRowProps {
  project: Project;
  branch: OwnBranch;
  onOpen: (dialog: BranchDialog) => void;
}

/** A branch: its last commit, its distance to the default branch, where it was pushed, and its actions. */
export function OwnBranchRow({ project, branch, onOpen }: BranchRowProps) {
  const { t } = useTranslation('branches');
  const download = useMutation({ mutationFn: () => downloadPatch(project.id, branch.name) });
  const { last_commit: commit } = branch;
  const mayWrite = project.role !== 'viewer';
  const isRemote = isRemoteProject(project);
  return (
    <li className="border-b border-border py-3">
      <div className="flex flex-wrap items-start gap-x-6 gap-y-2">
        <div className="min-w-0 flex-1 basis-80">
          <h2 className="truncate font-mono text-code font-semibold">
            <Verbatim text={branch.name} />
          </h2>
          <p className="flex min-w-0 flex-wrap gap-x-2">
            <Link to={commitUrl(project.id, commit.hash)} className="link min-w-0 truncate">
              <Verbatim text={commit.message || commit.hash.slice(0, 7)} />
            </Link>
            <span className="font-mono text-sm text-muted">{commit.hash.slice(0, 7)}</span>
            {commit.timestamp && <RelativeTime at={commit.timestamp} className="text-muted" />}
          </p>
          <BranchFacts branch={branch} />
        </div>
        <div className="flex items-center gap-2">
          {mayWrite && branch.pushed && branch.ahead !== 0 && !isProposed(branch) && (
            <Button onClick={() => onOpen('pull')}>{t('pull_request')}</Button>
          )}
          {mayWrite && isRemote && branch.unpushed !== 0 && (
            <Button onClick={() => onOpen('push')}>{t('push')}</Button>
          )}
          {!isRemote && <Button onClick={() => onOpen('export')}>{t('export')}</Button>}
          <LazyMenu
            label={t('actions', { name: branch.name })}
            trigger={<Ellipsis aria-hidden className="size-4" />}
            items={[
              { label: t('download_patch'), onSelect: () => download.mutate() },
              { label: t('export'), onSelect: () => onOpen('export') },
              ...(mayWrite
                ? (['update', 'rename', 'delete'] as const).map((kind) => ({
                    label: t(`${kind}.action`, { upstream: branch.upstream }),
                    onSelect: () => onOpen(kind),
                  }))
                : []),
            ]}
          />
        </div>
      </div>
      {download.error && (
        <Notice kind="error" className="mt-2" onRetry={() => download.mutate()}>
          {download.error.message}
        </Notice>
      )}
    </li>
  );
}

/** True when a pull request has all commits that were pushed: an open one, or one that was merged. */
function isProposed({ pull_request: request, unpushed }: OwnBranch): boolean {
  return request?.state === 'open' || (request?.state === 'merged' && unpushed === 0);
}

function BranchFacts({ branch }: { branch: OwnBranch }) {
  const { t } = useTranslation('branches');
  const { ahead, behind, upstream, pushed, unpushed, pull_request: request } = branch;
  return (
    <p className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted">
      {ahead !== null && <span>{t('ahead', { count: ahead, upstream })}</span>}
      {behind !== null && behind > 0 && (
        <StateMark state="behind">{t('behind', { count: behind })}</StateMark>
      )}
      {pushed ? (
        <StateMark state="pushed">
          {t(unpushed ? 'pushed_partly' : 'pushed', { target: pushed.target, count: unpushed ?? 0 })}
        </StateMark>
      ) : (
        <StateMark state="draft">{t('not_pushed')}</StateMark>
      )}
      {request && <PullRequestMark request={request} />}
    </p>
  );
}

/** Link to a pull request with its state and the result of its checks. */
function PullRequestMark({ request }: { request: PullRequest }) {
  const { t } = useTranslation('branches');
  const state = ({ open: 'open', merged: 'merged', closed: 'off' } as const)[request.state];
  return (
    <StateMark state={state}>
      <a href={request.url} className="link" target="_blank" rel="noreferrer">
        {t(`request.${request.state}`, { number: request.number })}
      </a>
      {request.state === 'open' && request.checks && <span> · {t(`checks.${request.checks}`)}</span>}
    </StateMark>
  );
}

async function downloadPatch(projectId: string, branch: string): Promise<void> {
  await downloadFile(`/projects/${projectId}/branches/${encodeURIComponent(branch)}/patch`, 'branch.patch');
}
