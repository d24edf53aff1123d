import { useQuery } from '@tanstack/react-query';
import { CornerLeftUp, File, FileSymlink, Folder, FolderGit2 } from 'lucide-react';
import { Suspense } from 'react';
import { Link } from 'react-router';
import type { ApiReply } from '#contract/api.ts';
import type { FolderEntry } from '#contract/code.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { AgeBar, TimeAgo } from '../parts/age-mark.tsx';
import { commitUrl, fileUrl } from '../parts/citation.ts';
import { useNow } from '../parts/use-now.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { folderUrl } from './code-urls.ts';
import { formatSize } from './format-size.ts';
import { NotFoundState } from './not-found-state.tsx';

const WatchButton = lazyComponent(() =>
  import('../parts/watch-button.tsx').then((module) => module.WatchButton),
);

interface FolderViewProps {
  projectId: string;
  /** Empty for the root. */
  path: string;
  revision: string | null;
}

/** Entries of a folder with their last commit, its age and their size. */
export function FolderView({ projectId, path, revision }: FolderViewProps) {
  const { t } = useTranslation('code');
  const query = useQuery(
    apiQuery('GET /projects/:id/folder', {
      params: { id: projectId },
      query: { path, ref: revision ?? undefined },
    }),
  );
  return (
    <NotFoundState error={query.error} projectId={projectId}>
      {path !== '' && query.data && (
        <p className="mb-3 min-h-8">
          <Suspense>
            <WatchButton subject={{ project_id: projectId, kind: 'path', value: path }} />
          </Suspense>
        </p>
      )}
      <QueryState
        query={query}
        loading={['22%', '34%', '28%', '40%', '24%', '36%']}
        empty={<EmptyState title={t('folder.empty')} />}
        isEmpty={({ entries }) => entries.length === 0}
      >
        {(folder) => <EntryTable projectId={projectId} folder={folder} revision={revision} />}
      </QueryState>
    </NotFoundState>
  );
}

interface EntryTableProps {
  projectId: string;
  folder: ApiReply<'GET /projects/:id/folder'>;
  revision: string | null;
}

function EntryTable({ projectId, folder, revision }: EntryTableProps) {
  const { t } = useTranslation('code');
  const { path, entries, truncated } = folder;
  const parent = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
  return (
    <div className="overflow-hidden rounded-md border border-border bg-surface">
      <table className="w-full table-fixed">
        <colgroup>
          <col className="w-[34%] max-sm:w-auto" />
          <col className="max-sm:hidden" />
          <col className="w-32" />
          <col className="w-24 max-sm:hidden" />
        </colgroup>
        <thead className="sr-only">
          <tr>
            <th scope="col">{t('folder.name')}</th>
            <th scope="col" className="max-sm:hidden">
              {t('folder.last')}
            </th>
            <th scope="col">{t('folder.age')}</th>
            <th scope="col" className="max-sm:hidden">
              {t('folder.size')}
            </th>
          </tr>
        </thead>
        <tbody>
          {path !== '' && (
            <tr className="border-b border-border">
              {/* Columns that a phone hides must not be spanned. */}
              <td>
                <Link
                  to={folderUrl(projectId, parent, revision)}
                  className="flex h-8 items-center gap-2 px-3 text-muted hover:bg-select hover:text-action"
                >
                  <CornerLeftUp aria-hidden className="size-4" />
                  {t('folder.parent')}
                </Link>
              </td>
            </tr>
          )}
          {entries.map((entry) => (
            <EntryRow
              key={entry.name}
              projectId={projectId}
              folder={path}
              entry={entry}
              revision={revision}
            />
          ))}
        </tbody>
      </table>
      {truncated && <p className="border-t border-border px-3 py-2 text-muted">{t('folder.truncated')}</p>}
    </div>
  );
}

const ICONS = { folder: Folder, file: File, link: FileSymlink, submodule: FolderGit2 };

interface EntryRowProps {
  projectId: string;
  folder: string;
  entry: FolderEntry;
  revision: string | null;
}

function EntryRow({ projectId, folder, entry, revision }: EntryRowProps) {
  const { t, i18n } = useTranslation('code');
  const now = useNow();
  const { name, type, size, last } = entry;
  const path = folder === '' ? name : `${folder}/${name}`;
  const Icon = ICONS[type];
  const label = (
    <>
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <span className="truncate font-mono text-code">
        <Verbatim text={name} />
      </span>
      {type !== 'file' && <span className="sr-only">{t(`folder.${type}`)}</span>}
    </>
  );
  const url =
    type === 'folder' ? folderUrl(projectId, path, revision) : fileUrl(projectId, path, { commit: revision });
  return (
    <tr className="border-b border-border last:border-0 hover:bg-select">
      <td className="p-0">
        <span className="flex h-8 items-center">
          <AgeBar timestamp={last?.timestamp ?? ''} now={now} />
          {type === 'submodule' ? (
            <span className="flex min-w-0 items-center gap-2 px-2">{label}</span>
          ) : (
            <Link to={url} className="flex h-full min-w-0 flex-1 items-center gap-2 px-2 hover:text-action">
              {label}
            </Link>
          )}
        </span>
      </td>
      <td className="truncate px-3 text-muted max-sm:hidden">
        {last && (
          <Link to={commitUrl(projectId, last.hash)} className="hover:text-action" title={last.author}>
            <Verbatim text={last.subject} />
          </Link>
        )}
      </td>
      <td className="px-3 text-right whitespace-nowrap text-muted">
        {last && <TimeAgo timestamp={last.timestamp} now={now} />}
      </td>
      <td className="px-3 text-right whitespace-nowrap text-muted tabular-nums max-sm:hidden">
        {size !== null && formatSize(size, i18n.language)}
      </td>
    </tr>
  );
}
