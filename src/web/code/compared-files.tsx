import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { ApiReply } from '#contract/api.ts';
import type { ComparedFile } from '#contract/history.ts';
import type { Project } from '#contract/projects.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { FileDiffView } from '../parts/file-diff-view.tsx';
import { Verbatim } from '../parts/verbatim.tsx';
import { QueryState } from '../ui/query-state.tsx';

interface ComparedFilesProps {
  project: Project;
  found: ApiReply<'GET /projects/:id/compare'>;
}

/** Files that differ, those that change most often first; each opens to its diff. */
export function ComparedFiles({ project, found }: ComparedFilesProps) {
  const { t } = useTranslation('code');
  const { files, total_files: total } = found;
  if (total === 0) return <p className="text-muted">{t('diff.none')}</p>;
  return (
    <>
      <p className="mb-2 text-sm text-muted">{t('compare.risk')}</p>
      <ol className="border-t border-border">
        {files.map((file) => (
          <ComparedFileRow key={file.path} project={project} found={found} file={file} />
        ))}
      </ol>
      {files.length < total && (
        <p className="mt-3 text-muted">{t('diff.more', { count: total - files.length })}</p>
      )}
    </>
  );
}

function ComparedFileRow({ project, found, file }: ComparedFilesProps & { file: ComparedFile }) {
  const { t } = useTranslation('code');
  const [open, setOpen] = useState(false);
  const { path, old_path, status, changes, fixes, hotspot } = file;
  const Chevron = open ? ChevronDown : ChevronRight;
  return (
    <li className="border-b border-border bg-surface [contain-intrinsic-size:auto_33px] [content-visibility:auto]">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex min-h-8 w-full items-center gap-3 px-2 py-1 text-left hover:bg-select focus-visible:-outline-offset-2"
      >
        <Chevron aria-hidden className="size-4 shrink-0 text-muted" />
        <span className="w-16 shrink-0 text-sm text-muted">{t(`diff.status.${status}`)}</span>
        <span className="min-w-0 flex-1 font-mono text-sm break-all">
          <Verbatim text={old_path ? `${old_path} → ${path}` : path} />
        </span>
        {hotspot && <span className="shrink-0 text-sm font-semibold">{t('compare.hotspot')}</span>}
        <span className="shrink-0 text-sm text-muted tabular-nums max-sm:hidden">
          {t('compare.changes', { count: changes })}
          {fixes > 0 && ` · ${t('compare.fixes', { count: fixes })}`}
        </span>
      </button>
      {open && <ComparedDiff project={project} found={found} file={file} />}
    </li>
  );
}

function ComparedDiff({ project, found, file }: ComparedFilesProps & { file: ComparedFile }) {
  const { t } = useTranslation('code');
  const query = useQuery({
    ...apiQuery('GET /projects/:id/compare/file', {
      params: { id: project.id },
      query: {
        base: found.ancestor ?? found.base,
        head: found.head,
        path: file.path,
        old_path: file.old_path ?? undefined,
      },
    }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <div className="px-2 pb-3">
      <QueryState query={query} loading={['60%', '48%', '66%']}>
        {({ file: diff }) =>
          diff ? (
            <FileDiffView
              file={diff}
              timestamp={found.commits[0]?.timestamp ?? ''}
              after={{ projectId: project.id, revision: found.head }}
            />
          ) : (
            <p className="text-muted">{t('history.no_change')}</p>
          )
        }
      </QueryState>
    </div>
  );
}
