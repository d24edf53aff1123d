import { GitBranch } from 'lucide-react';
import type { WorkingBranch } from '#contract/branches.ts';
import { withFilter, withoutFilters } from '#contract/search-query.ts';
import type { ScopedProject } from '#contract/search-results.ts';
import { useTranslation } from '../i18n.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { WorkingBranchNote } from '../parts/working-branch.tsx';
import type { SearchState } from './search-state.ts';

interface OwnBranchLineProps {
  project: ScopedProject;
  q: string;
  search: (change: { q: string; page: number }) => void;
}

/** Says that the files and commits of the reader's branch are searched, with a switch that the query holds. */
export function OwnBranchLine({ project, q, search }: OwnBranchLineProps) {
  const onChoose = (included: boolean, { name, behind }: WorkingBranch, upstream: string) => {
    const rest = withoutFilters(q, ({ key }) => key === 'rev');
    const revision = included ? (behind > 0 ? name : null) : upstream;
    search({ q: revision === null ? rest : withFilter(rest, 'rev', revision), page: 1 });
  };
  const isIncluded = (name: string) => project.branch === name || q.split(/\s+/).includes(`rev:${name}`);
  return <WorkingBranchNote projectId={project.id} choice={{ isIncluded, onChoose }} className="pb-2" />;
}

interface OwnBranchesLineProps {
  projects: readonly ScopedProject[];
  search: (change: Partial<SearchState>) => void;
}

/** Says in which of several projects the reader's own branch is searched, with a switch; nothing without such branches. */
export function OwnBranchesLine({ projects, search }: OwnBranchesLineProps) {
  const { t, i18n } = useTranslation('search');
  const list = new Intl.ListFormat(i18n.language);
  return (['searched', 'left_out'] as const).map((state) => {
    const some = projects.filter(({ own_branch }) => own_branch === state);
    if (some.length === 0) return null;
    const names = list.format(some.map(({ name }) => name));
    return (
      <p key={state} className="flex flex-wrap items-baseline gap-x-2.5 gap-y-0.5 pb-2 text-sm text-muted">
        <span className="min-w-0 wrap-anywhere">
          <GitBranch aria-hidden className="mr-1 inline size-3.5 align-[-2px]" />
          <Verbatim text={t(`own.${state}`, { count: some.length, names })} />
        </span>
        <button type="button" className="link" onClick={() => search({ ownBranches: state === 'left_out' })}>
          {t(`own.${state}_action`, { count: some.length })}
        </button>
      </p>
    );
  });
}
