import { Link } from 'react-router';
import type { CommitIssue } from '#contract/issues.ts';
import { useTranslation } from '../i18n.ts';
import { issueUrl } from './citation.ts';
import { IssueMark } from './issue-mark.tsx';
import { useCommitIssues } from './use-commit-issues.ts';
import { Verbatim } from './verbatim.tsx';

const MAX_ISSUES = 4;

interface CommitIssuesProps {
  projectId: string;
  hash: string;
}

/** “from #123: title” for each imported issue that a commit belongs to; nothing without any. */
export function CommitIssues({ projectId, hash }: CommitIssuesProps) {
  const issues = useCommitIssues(projectId, [hash]).get(hash) ?? [];
  return <IssueOrigins projectId={projectId} issues={issues} />;
}

/** The same for issues that are known. */
export function IssueOrigins({ projectId, issues }: { projectId: string; issues: readonly CommitIssue[] }) {
  const { t } = useTranslation('parts');
  if (issues.length === 0) return null;
  return (
    <ul className="flex flex-col gap-1">
      {issues.slice(0, MAX_ISSUES).map((issue) => (
        <li key={`${issue.kind} ${issue.number}`} className="flex min-w-0 items-center gap-1.5">
          <IssueMark state={issue.state} />
          <span className="shrink-0 text-muted">{t('issue.from')}</span>
          <Link to={issueUrl(projectId, issue)} className="link min-w-0 truncate" title={issue.title}>
            #{issue.number}: <Verbatim text={issue.title} />
          </Link>
          <IssueOnHost issue={issue} />
        </li>
      ))}
    </ul>
  );
}

function IssueOnHost({ issue: { url, number } }: { issue: CommitIssue }) {
  const { t } = useTranslation('parts');
  const host = URL.parse(url ?? '')?.host;
  if (!url || !host) return null;
  const label = t('issue.on_host', { number, host });
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer noopener"
      className="link shrink-0 text-sm"
      aria-label={label}
    >
      {host}
    </a>
  );
}
