import type { SearchType } from '#contract/search-query.ts';
import { type Candidates, loadPage, type ResultPage } from './candidates.ts';
import { findChangesOfProject, findCommits } from './commits-and-changes.ts';
import { findExactCode } from './exact-code.ts';
import { rankCode } from './ranked-code.ts';
import type { ProjectSearch, SearchedProject } from './search-scope.ts';
import { findFiles, findSymbols } from './symbols-and-files.ts';

/** Types that the indexes answer. */
export type IndexedType = Exclude<SearchType, 'errors' | 'chats'>;

/** Searches one project after the other and returns a page of their best results. */
export async function searchProjects(
  type: IndexedType,
  projects: Iterable<Promise<SearchedProject>>,
  { projectCount, ...search }: ProjectSearch & { projectCount: number },
): Promise<ResultPage> {
  const lists: Candidates[] = [];
  for await (const project of projects) {
    lists.push(await findCandidates(type, project, { search, projectCount }));
    search.signal.throwIfAborted();
  }
  return await loadPage(lists, search);
}

async function findCandidates(
  type: IndexedType,
  project: SearchedProject,
  { search, projectCount }: { search: ProjectSearch; projectCount: number },
): Promise<Candidates> {
  switch (type) {
    case 'code':
      return search.match === 'exact'
        ? await findExactCode(project, search, projectCount)
        : rankCode(project, search);
    case 'symbols':
      return findSymbols(project, search);
    case 'files':
      return findFiles(project, search);
    case 'commits':
      return await findCommits(project, search);
    case 'changes':
      return await findChangesOfProject(project, search);
  }
}
