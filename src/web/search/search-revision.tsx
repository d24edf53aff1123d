import { filterProjects, MAX_REVISION_PROJECTS } from '#contract/search-projects.ts';
import {
  filterValues,
  isApplicable,
  parseSearchQuery,
  withFilter,
  withoutFilters,
} from '#contract/search-query.ts';
import { useTranslation } from '../i18n.ts';
import type { RevisedProject } from '../parts/group-revisions.ts';
import { RevisionPicker } from '../parts/revision-picker.tsx';

interface SearchRevisionProps {
  q: string;
  projects: readonly (RevisedProject & { name: string; git_url: string })[];
  onChange: (q: string) => void;
}

/** Revision that the `rev:` filter of a query names, in the projects of its `repo:` filters. */
export function SearchRevision({ q, projects, onChange }: SearchRevisionProps) {
  const { t } = useTranslation('search');
  const query = parseSearchQuery(q);
  const indexed = projects.filter(({ indexed_commit }) => indexed_commit !== null);
  const [project, ...others] = filterProjects(indexed, query).chosen;
  if (!project || !isApplicable('rev', query.type)) return null;
  const isTooMany = others.length >= MAX_REVISION_PROJECTS;
  return (
    <RevisionPicker
      project={project}
      others={others}
      value={filterValues(query, 'rev')[0] ?? null}
      onChange={(revision) =>
        onChange(
          revision === null ? withoutFilters(q, ({ key }) => key === 'rev') : withFilter(q, 'rev', revision),
        )
      }
      unavailable={isTooMany ? t('revision_limit', { max: MAX_REVISION_PROJECTS }) : undefined}
    />
  );
}
