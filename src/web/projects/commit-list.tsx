import { Suspense } from 'react';
import { useSearchParams } from 'react-router';
import type { CommitFilters, Project } from '#contract/projects.ts';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { CommitFilterBar } from '../parts/commit-filter-bar.tsx';
import { CommitPages } from '../parts/commit-pages.tsx';
import { isBusy } from '../parts/phases.ts';
import { projectKeys } from '../query-keys.ts';

const WatchButton = lazyComponent(() =>
  import('../parts/watch-button.tsx').then((module) => module.WatchButton),
);

const FILTERS = ['q', 'author', 'path', 'since', 'until', 'kind'] as const;

/** Commits of a project with filters in the address, available before the index is complete. */
export function CommitList({ project }: { project: Project }) {
  const { t } = useTranslation(['projects', 'code']);
  const [search] = useSearchParams();
  const filters = Object.fromEntries(
    FILTERS.flatMap((name) => {
      const value = search.get(name)?.trim();
      return value ? [[name, value]] : [];
    }),
  ) as CommitFilters;
  const isFiltered = Object.keys(filters).length > 0;
  const isGraph = search.get('graph') === '1' && !isFiltered;
  return (
    <>
      <CommitFilterBar projectId={project.id} filters={filters} />
      {(filters.author || filters.path) && (
        <p className="mb-3 flex flex-wrap gap-2">
          <Suspense>
            {(['author', 'path'] as const).map((kind) => {
              const value = filters[kind];
              return (
                value && (
                  <WatchButton key={kind} subject={{ project_id: project.id, kind, value }} name={value} />
                )
              );
            })}
          </Suspense>
        </p>
      )}
      <CommitPages
        projectId={project.id}
        queryKey={[...projectKeys.commits(project), filters]}
        load={(page, options) =>
          api(
            'GET /projects/:id/commits',
            { params: { id: project.id }, query: { ...page, ...filters } },
            options,
          )
        }
        graph={isGraph}
        empty={
          isFiltered ? t('code:filters.nothing') : t(isBusy(project) ? 'commits.pending' : 'commits.empty')
        }
      />
    </>
  );
}
