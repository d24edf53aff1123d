import { Link } from 'react-router';
import { commitUrl, fileUrl } from '../parts/citation.ts';
import { Verbatim } from '../parts/verbatim.tsx';

/** Link to a file: its folder is quiet, its name is not. */
export function FileLink({ projectId, path }: { projectId: string; path: string }) {
  const slash = path.lastIndexOf('/') + 1;
  return (
    <Link to={fileUrl(projectId, path)} title={path} className="font-mono text-code hover:text-action">
      {slash > 0 && (
        <span className="text-muted">
          <Verbatim text={path.slice(0, slash)} />
        </span>
      )}
      <Verbatim text={path.slice(slash)} />
    </Link>
  );
}

/** Link to a commit by its short hash. */
export function CommitLink({ projectId, hash }: { projectId: string; hash: string }) {
  return (
    <Link to={commitUrl(projectId, hash)} className="font-mono text-code text-muted hover:text-action">
      {hash.slice(0, 7)}
    </Link>
  );
}

interface CommitsOf {
  author?: string;
  path?: string;
  kind?: 'fix' | 'revert';
  since?: string;
  until?: string;
}

/** URL of a project's commits, narrowed. */
export function commitsUrl(projectId: string, filters: CommitsOf): string {
  const params = Object.entries(filters).filter(([, value]) => value);
  return `/projects/${projectId}/commits?${new URLSearchParams(params)}`;
}
