import { useInfiniteQuery } from '@tanstack/react-query';
import type { Coverage, Project, SkipReason } from '#contract/projects.ts';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { projectKeys } from '../query-keys.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { QueryState } from '../ui/query-state.tsx';

const PAGE_SIZE = 100;

interface SkippedFilesDialogProps {
  project: Project;
  coverage: Coverage;
  onClose: () => void;
}

/** Files that are not indexed: counts by reason, then a list. */
export function SkippedFilesDialog({ project, coverage, onClose }: SkippedFilesDialogProps) {
  const { t, i18n } = useTranslation('projects');
  const number = new Intl.NumberFormat(i18n.language);
  const reasons = Object.entries(coverage.reasons) as [SkipReason, number][];
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('coverage.title', { value: number.format(coverage.skipped), count: coverage.skipped })}
      description={t('coverage.text')}
    >
      <ul className="mb-4 flex flex-wrap gap-x-4 gap-y-1">
        {reasons
          .toSorted(([, one], [, other]) => other - one)
          .map(([reason, count]) => (
            <li key={reason}>
              <b className="font-semibold">{number.format(count)}</b>{' '}
              <span className="text-muted">{t(`coverage.reason.${reason}`)}</span>
            </li>
          ))}
      </ul>
      <SkippedFileList project={project} />
    </Dialog>
  );
}

function SkippedFileList({ project }: { project: Project }) {
  const { t } = useTranslation('projects');
  const query = useInfiniteQuery({
    queryKey: projectKeys.skippedFiles(project),
    queryFn: ({ pageParam, signal }) =>
      api(
        'GET /projects/:id/skipped',
        { params: { id: project.id }, query: { skip: String(pageParam), limit: String(PAGE_SIZE) } },
        { signal },
      ),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.has_more ? pages.length * PAGE_SIZE : undefined),
  });
  const { hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  return (
    <>
      <QueryState query={query} showStaleError loading={['70%', '52%', '64%']}>
        {({ pages }) => (
          <ul className="border-t border-border">
            {pages
              .flatMap((page) => page.files)
              .map((file) => (
                <li key={file.path} className="flex items-baseline gap-4 border-b border-border py-1.5">
                  <span className="min-w-0 flex-1 font-mono text-sm break-all">
                    <Verbatim text={file.path} />
                  </span>
                  <span className="shrink-0 text-muted">{t(`coverage.reason.${file.reason}`)}</span>
                </li>
              ))}
          </ul>
        )}
      </QueryState>
      {hasNextPage && (
        <Button className="mt-3" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('load_more')}
        </Button>
      )}
    </>
  );
}
