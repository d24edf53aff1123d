import { useQuery } from '@tanstack/react-query';
import { File, GitCommitHorizontal } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { SearchQuery } from '#contract/search-query.ts';
import type { ScopedProject } from '#contract/search-results.ts';
import { apiQuery } from '../api-query.ts';
import { commitUrl, fileUrl } from '../parts/citation.ts';
import { Verbatim } from '../parts/verbatim.tsx';

const HASH = /^[0-9a-f]{7,64}$/i;
/** A path, or the name of a file with its ending. */
const FILE = /^[^\s"*]*[^\s"*/]\.\w{1,8}$|^[^\s"*]+\/[^\s"*]+$/;
const MAX_MATCHES = 3;

interface DirectMatchesProps {
  query: SearchQuery;
  /** Projects that were searched. */
  projects: readonly ScopedProject[];
}

/** The commit or the files that a query among code names, above the results that share words with it. */
export function DirectMatches({ query, projects }: DirectMatchesProps) {
  const text = query.text.replace(/^\.?\//, '');
  const isName = query.type === 'code' && query.match === 'words' && (HASH.test(text) || FILE.test(text));
  const only = projects.length === 1 ? projects[0] : undefined;
  const found = useQuery({
    ...apiQuery('GET /palette', { query: { q: text, project_id: only?.id } }),
    enabled: isName,
    staleTime: 60_000,
  });
  if (!isName || !found.data) return null;
  const projectOf = (id: string) => projects.find((one) => one.id === id);
  const commits = found.data.commits.filter(
    ({ project_id, hash }) => projectOf(project_id) && hash.startsWith(text.toLowerCase()),
  );
  const files = found.data.files.filter(
    ({ project_id, path }) => projectOf(project_id) && `/${path}`.endsWith(`/${text}`),
  );
  if (commits.length + files.length === 0) return null;
  return (
    <ul className="mb-2 rounded-md border border-border bg-surface">
      {commits.slice(0, MAX_MATCHES).map(({ project_id, hash, subject }) => (
        <Match
          key={project_id + hash}
          to={commitUrl(project_id, hash)}
          icon={<GitCommitHorizontal aria-hidden className="size-4 text-muted" />}
          aside={[hash.slice(0, 7), projectOf(project_id)?.name]}
        >
          <Verbatim text={subject} />
        </Match>
      ))}
      {files.slice(0, MAX_MATCHES).map(({ project_id, path }) => (
        <Match
          key={project_id + path}
          to={fileUrl(project_id, path)}
          icon={<File aria-hidden className="size-4 text-muted" />}
          aside={[projectOf(project_id)?.name]}
        >
          <span className="font-mono text-code">
            <Verbatim text={path} />
          </span>
        </Match>
      ))}
    </ul>
  );
}

interface MatchProps {
  to: string;
  icon: ReactNode;
  aside: (string | undefined)[];
  children: ReactNode;
}

function Match({ to, icon, aside, children }: MatchProps) {
  return (
    <li className="border-b border-border last:border-0">
      <Link to={to} className="flex min-h-8 items-center gap-2 px-3 py-1 hover:bg-select hover:text-action">
        {icon}
        <span className="min-w-0 flex-1 wrap-anywhere">{children}</span>
        <span className="flex gap-3 text-sm text-muted">
          {aside.map(
            (text) =>
              text && (
                <span key={text}>
                  <Verbatim text={text} />
                </span>
              ),
          )}
        </span>
      </Link>
    </li>
  );
}
