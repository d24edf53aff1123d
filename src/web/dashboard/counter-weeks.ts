import type { Dashboard } from '#contract/dashboard.ts';
import type { Project } from '#contract/projects.ts';

const WEEK_MS = 7 * 86_400_000;

/** Weekly values behind each counter, the current week last. */
export function counterWeeks(
  { solved_weeks }: Dashboard,
  projects: readonly Pick<Project, 'created_at' | 'weeks'>[],
  now: number,
): Record<'total_projects' | 'total_commits' | 'solved_errors' | 'active_projects', number[]> {
  const weeks = solved_weeks.map((_, index) => index - solved_weeks.length + 1);
  const commits = (project: Pick<Project, 'weeks'>, index: number) => project.weeks?.[index] ?? 0;
  return {
    total_projects: weeks.map(
      (week) => projects.filter(({ created_at }) => Date.parse(created_at) <= now + week * WEEK_MS).length,
    ),
    total_commits: weeks.map((_, index) =>
      projects.reduce((sum, project) => sum + commits(project, index), 0),
    ),
    solved_errors: solved_weeks,
    active_projects: weeks.map(
      (_, index) => projects.filter((project) => commits(project, index) > 0).length,
    ),
  };
}
