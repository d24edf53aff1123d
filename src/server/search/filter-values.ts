import { MAX_REVISION_PROJECTS } from '#contract/search-projects.ts';
import { parseSearchQuery } from '#contract/search-query.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../identity/access.ts';
import { readRefList } from '../project-data/commit-refs.ts';
import { readFromGit } from '../project-data/git-reads.ts';
import { openProjectIndex } from '../project-data/storage.ts';
import { chooseProjects } from './search-scope.ts';

const MAX_VALUES = 20;

interface ValueQuery {
  key: 'author' | 'path' | 'lang' | 'rev';
  text: string;
  /** The whole query, whose `repo:` filters choose the projects. */
  q: string;
}

/** Suggests values of a filter in the projects of a query, each with how often it occurs or where. */
export async function listFilterValues(
  deps: Deps,
  { caller, signal }: { caller: Caller; signal: AbortSignal },
  { key, text, q }: ValueQuery,
): Promise<{ value: string; detail: string }[]> {
  const { chosen } = await chooseProjects(deps, caller, parseSearchQuery(q));
  const opened = await Promise.all(
    chosen.map(async (project) => ({
      project,
      index: await openProjectIndex(deps, project).catch(() => null),
    })),
  );
  const ready = opened.flatMap(({ project, index }) => (index ? [{ project, index }] : []));
  if (key !== 'rev') {
    const task = { projects: ready.map(({ index }) => ({ shared: index.shared })), key, text };
    const values = await deps.pool.listSearchValues(task, { userId: caller.userId, signal });
    return values.map(({ value, count }) => ({ value, detail: String(count) }));
  }
  const needle = text.toLowerCase();
  const found: { value: string; detail: string }[] = [];
  for (const { project, index } of ready.slice(0, MAX_REVISION_PROJECTS)) {
    const repo = await deps.projectFiles.repositories.open(project.id);
    const reader = { project, userId: caller.userId, signal };
    const refs = await readFromGit(deps, reader, (stop) => readRefList(repo, index, stop));
    for (const { name } of refs)
      if (name.toLowerCase().includes(needle)) found.push({ value: name, detail: project.name });
  }
  return found.slice(0, MAX_VALUES);
}
