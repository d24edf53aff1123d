import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Link } from 'react-router';
import type { FileDiff } from '#contract/projects.ts';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { TimeAgo } from '../parts/age-mark.tsx';
import { CitationChip } from '../parts/citation-chip.tsx';
import { hostCommitUrl, pullRequestNumber, pullRequestUrl } from '../parts/code-host.ts';
import { LinkedText } from '../parts/linked-text.tsx';
import { useNow } from '../parts/use-now.ts';
import { useProject } from '../parts/use-project.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import type { accusedCommit } from '../parts/verdict-claims.ts';
import type { Session } from './answer.tsx';
import { CollapsibleHunk } from './collapsible-hunk.tsx';
import { CommitTitle } from './commit-title.tsx';
import { MarkRight } from './mark-right.tsx';
import { PanelFrame } from './panel-frame.tsx';
import { suspectQuery } from './suspect-query.ts';

const CommitIssues = lazyComponent(() =>
  import('../parts/commit-issues.tsx').then((module) => module.CommitIssues),
);

interface SuspectPanelProps {
  session: Session;
  suspect: NonNullable<ReturnType<typeof accusedCommit>>;
}

/** The accused commit: the lines that it changed, its message and its pull request. */
export function SuspectPanel({ session, suspect }: SuspectPanelProps) {
  const { t } = useTranslation('debug');
  const now = useNow();
  const projectId = session.project_id;
  const { hash, message, author, timestamp } = suspect;
  const commit = useQuery(suspectQuery(projectId, hash));
  const text = commit.data?.body || message;
  const { hunk, path } = shownChange(session, suspect, commit.data?.files ?? []);
  return (
    <PanelFrame
      cause
      label={t('step.suspect')}
      title={<CommitTitle projectId={projectId} hash={hash} message={message} />}
      aside={
        <>
          <Verbatim text={author} />, <TimeAgo timestamp={timestamp} now={now} />
          <PullRequest projectId={projectId} message={text} hash={hash} />
        </>
      }
    >
      {hunk && (
        <div className="py-1">
          <CollapsibleHunk hunk={hunk} path={path} timestamp={timestamp} now={now} />
        </div>
      )}
      <div className="mx-3 mt-2 empty:hidden">
        <Suspense>
          <CommitIssues projectId={projectId} hash={hash} />
        </Suspense>
      </div>
      <CommitBody projectId={projectId} text={text} />
      <div className="mt-auto flex flex-wrap items-end gap-x-3 px-3 pb-1">
        <OtherFiles
          projectId={projectId}
          hash={hash}
          paths={changedPaths(commit.data?.files ?? []).filter((one) => one !== path)}
        />
        <span className="ml-auto">
          <MarkRight session={session} target={{ commit: hash }} />
        </span>
      </div>
    </PanelFrame>
  );
}

/** The change that the answer names; of a proven commit that it does not know, the first at one of its places. */
function shownChange(
  { answer: { places } }: Session,
  { hunk, path }: SuspectPanelProps['suspect'],
  files: readonly FileDiff[],
): Pick<SuspectPanelProps['suspect'], 'hunk' | 'path'> {
  if (hunk) return { hunk, path };
  const isPlace = ({ new_path }: FileDiff) => places.some((place) => place.path === new_path);
  const file = files.find(isPlace) ?? files.find(({ hunks }) => hunks.length > 0);
  return { hunk: file?.hunks[0] ?? null, path: file?.new_path ?? path };
}

/** Number of the commit's pull request, linked where the host is known; else the commit on its host. */
function PullRequest({ projectId, message, hash }: { projectId: string; message: string; hash: string }) {
  const { t } = useTranslation('debug');
  const gitUrl = useProject(projectId).data?.git_url ?? '';
  const number = pullRequestNumber(message);
  const url = number === null ? hostCommitUrl(gitUrl, hash) : pullRequestUrl(gitUrl, number);
  const label = number === null ? t('suspect.on_host', { host: URL.parse(url ?? '')?.host }) : `#${number}`;
  if (number === null && !url) return null;
  return (
    <>
      {' · '}
      {url ? (
        <a href={url} target="_blank" rel="noreferrer noopener" className="link">
          {label}
        </a>
      ) : (
        label
      )}
    </>
  );
}

/** Trailers such as `Signed-off-by: …`, which explain nothing. */
const TRAILER = /^[A-Z][\w-]+-(?:by|Id|on|URL): .*$/gim;

/** Message of a commit without its subject. */
function CommitBody({ projectId, text }: { projectId: string; text: string }) {
  const gitUrl = useProject(projectId).data?.git_url ?? '';
  const body = text
    .replace(/^.*\n?/, '')
    .replace(TRAILER, '')
    .trim();
  if (body === '') return null;
  return (
    <p className="mx-3 mt-2 mb-2.5 line-clamp-4 whitespace-pre-wrap wrap-anywhere">
      <LinkedText text={body} max={2_000} gitUrl={gitUrl} />
    </p>
  );
}

function changedPaths(files: { new_path: string | null; old_path: string | null }[]): string[] {
  return files.map(({ new_path, old_path }) => new_path ?? old_path ?? '');
}

const MAX_OTHER_FILES = 3;

interface OtherFilesProps {
  projectId: string;
  hash: string;
  paths: string[];
}

/** Other files of the commit, each in the evidence sheet, and the rest on the commit's page. */
function OtherFiles({ projectId, hash, paths }: OtherFilesProps) {
  const { t } = useTranslation('debug');
  if (paths.length === 0) return null;
  const rest = paths.length - MAX_OTHER_FILES;
  return (
    <p className="min-w-0 py-1 text-sm text-muted wrap-anywhere">
      {t('suspect.also_changed')}{' '}
      {paths.slice(0, MAX_OTHER_FILES).map((path) => (
        <span key={path}>
          <CitationChip projectId={projectId} citation={{ kind: 'file', path, from: 1, to: 1, commit: hash }}>
            {path}
          </CitationChip>{' '}
        </span>
      ))}
      {rest > 0 && (
        <Link to={`/projects/${projectId}/commits/${hash}`} className="link">
          {t('suspect.more_files', { count: rest })}
        </Link>
      )}
    </p>
  );
}
