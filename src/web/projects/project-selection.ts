import type { Project } from '#contract/projects.ts';
import { stateOf } from './project-state.tsx';

/** Orders of the list of projects. */
export const PROJECT_SORTS = ['newest', 'name', 'active', 'indexed'] as const;
type ProjectSort = (typeof PROJECT_SORTS)[number];

/** Filters by state; `busy` is being indexed. */
export const PROJECT_STATES = ['all', 'ready', 'busy', 'behind', 'failed'] as const;
type ProjectStateFilter = (typeof PROJECT_STATES)[number];

const PAGE_SIZE = 24;

interface ProjectListOptions {
  q: string;
  state: ProjectStateFilter;
  sort: ProjectSort;
  /** From 1. */
  page: number;
}

/** Reads the options from the address; what is unknown there counts as absent. */
export function readListOptions(query: URLSearchParams): ProjectListOptions {
  const page = Number(query.get('page') ?? 1);
  return {
    q: query.get('q') ?? '',
    state: PROJECT_STATES.find((state) => state === query.get('state')) ?? 'all',
    sort: PROJECT_SORTS.find((sort) => sort === query.get('sort')) ?? 'newest',
    page: Number.isInteger(page) && page > 0 ? page : 1,
  };
}

/** Projects of a page, with the number of all that match and of pages. */
export function selectProjects(projects: readonly Project[], { q, state, sort, page }: ProjectListOptions) {
  const words = q.trim().toLowerCase();
  const matching = projects
    .filter(({ name, git_url, description }) =>
      [name, git_url, description ?? ''].some((text) => text.toLowerCase().includes(words)),
    )
    .filter((project) => state === 'all' || matchesState(project, state))
    .toSorted(COMPARE[sort]);
  const pages = Math.max(1, Math.ceil(matching.length / PAGE_SIZE));
  const from = (Math.min(page, pages) - 1) * PAGE_SIZE;
  return { projects: matching.slice(from, from + PAGE_SIZE), total: matching.length, pages };
}

function matchesState(project: Project, filter: ProjectStateFilter): boolean {
  const state = stateOf(project);
  return filter === 'busy' ? state === 'queued' || state === 'running' : state === filter;
}

const COMPARE: Record<ProjectSort, (a: Project, b: Project) => number> = {
  newest: (a, b) => b.created_at.localeCompare(a.created_at),
  name: (a, b) => a.name.localeCompare(b.name),
  active: (a, b) => recentCommits(b) - recentCommits(a),
  indexed: (a, b) => (b.indexed_at ?? '').localeCompare(a.indexed_at ?? ''),
};

function recentCommits({ weeks }: Project): number {
  return weeks?.reduce((sum, count) => sum + count, 0) ?? 0;
}
