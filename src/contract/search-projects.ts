import { filterValues, type SearchQuery } from './search-query.ts';

/** Projects in which one search reads another revision than the indexed one, which takes seconds for each. */
export const MAX_REVISION_PROJECTS = 3;

interface NamedProject {
  id: string;
  name: string;
  git_url: string;
}

/** Projects that the `repo:` filters of a query choose, all without one, and the filters that match none. */
export function filterProjects<P extends NamedProject>(
  projects: readonly P[],
  query: Pick<SearchQuery, 'filters'>,
): { chosen: P[]; unknown: string[] } {
  const wanted = filterValues(query, 'repo').map((value) => matchProjects(projects, value));
  const excluded = new Set(
    filterValues(query, 'repo', true).flatMap((value) => matchProjects(projects, value).ids),
  );
  const included = new Set(wanted.flatMap(({ ids }) => ids));
  return {
    chosen: projects.filter(({ id }) => (wanted.length === 0 || included.has(id)) && !excluded.has(id)),
    unknown: wanted.filter(({ ids }) => ids.length === 0).map(({ value }) => value),
  };
}

/** Projects by name, id or end of the URL; by a part of name or URL where none has it as a whole. */
function matchProjects(projects: readonly NamedProject[], value: string): { value: string; ids: string[] } {
  const text = value.toLowerCase();
  const isWhole = ({ id, name, git_url }: NamedProject) => {
    const url = git_url.toLowerCase().replace(/(?:\.git|\/)+$/, '');
    return (
      id === value || name.toLowerCase() === text || url.endsWith(`/${text}`) || url.endsWith(`:${text}`)
    );
  };
  const isPart = ({ name, git_url }: NamedProject) => `${name}\n${git_url}`.toLowerCase().includes(text);
  const whole = projects.filter(isWhole);
  return { value, ids: (whole.length > 0 ? whole : projects.filter(isPart)).map(({ id }) => id) };
}
