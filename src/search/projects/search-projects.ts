import type { SearchType, TextType } from '#contract/search-query.ts';
import { createRegexMatcher, createTextMatcher, type LineMatcher } from '../expressions/line-matcher.ts';
import { type Candidates, loadPage, type ResultPage } from './candidates.ts';
import { findChangesOfProject, findCommits } from './commits-and-changes.ts';
import { findExactCode } from './exact-code.ts';
import { rankCode } from './ranked-code.ts';
import { rescaleScores } from './rescale-scores.ts';
import type { ProjectSearch, SearchedProject } from './search-scope.ts';
import { findFiles, findSymbols } from './symbols-and-files.ts';

/** Types that the indexes answer. */
export type IndexedType = Exclude<SearchType, TextType>;

/** Time of an exact search over all projects. */
const EXACT_TIMEOUT_MS = 2_000;

interface FoundPage extends ResultPage {
  /** Projects that the limit of time left unfinished. */
  timedOut: string[];
}

/** Searches one project after the other and returns a page of their best results. */
export async function searchProjects(
  type: IndexedType,
  projects: Iterable<Promise<SearchedProject>>,
  { projectCount, ...search }: ProjectSearch & { projectCount: number },
): Promise<FoundPage> {
  const lists: Candidates[] = [];
  const timedOut: string[] = [];
  const find = createFinder(type, search, projectCount);
  for await (const project of projects) {
    const candidates = await find(project);
    if (candidates.isTimedOut) timedOut.push(project.id);
    lists.push(candidates);
    search.signal.throwIfAborted();
  }
  return { ...(await loadPage(rescaleScores(lists), search)), timedOut };
}

/** Finds candidates in one project after the other, which share the time of an exact search. */
function createFinder(
  type: IndexedType,
  search: ProjectSearch,
  projectCount: number,
): (project: SearchedProject) => Candidates | Promise<Candidates> {
  if (type === 'changes' && search.match === 'exact') return createChangeFinder(search, projectCount);
  if (type !== 'code' || search.match === 'words')
    return (project) => findCandidates(type, project, { search, projectCount });
  const matcher =
    search.match === 'exact' ? createTextMatcher(search.text) : requireRegexMatcher(search.text);
  let [leftMs, leftProjects] = [EXACT_TIMEOUT_MS, projectCount];
  return async (project) => {
    const start = performance.now();
    const deadline = start + leftMs / Math.max(1, leftProjects--);
    const candidates = await findExactCode(project, search, { matcher, projectCount, deadline });
    // Opening the next project at its revision takes none of the time.
    leftMs -= performance.now() - start;
    return candidates;
  };
}

/** Finds exact changes, newest first: a project is read for those only that can still be on the page. */
function createChangeFinder(
  search: ProjectSearch,
  projectCount: number,
): (project: SearchedProject) => Promise<Candidates> {
  const pageEnd = search.skip + search.limit;
  let times: number[] = [];
  return async (project) => {
    const newerThan = times[pageEnd - 1];
    const candidates = await findChangesOfProject(project, search, { projectCount, newerThan });
    times = [...times, ...candidates.found.map(({ score }) => score)]
      .toSorted((a, b) => b - a)
      .slice(0, pageEnd);
    return candidates;
  };
}

function requireRegexMatcher(expression: string): LineMatcher {
  const matcher = createRegexMatcher(expression);
  if (!matcher) throw new Error('Only git matches this expression.');
  return matcher;
}

async function findCandidates(
  type: IndexedType,
  project: SearchedProject,
  { search, projectCount }: { search: ProjectSearch; projectCount: number },
): Promise<Candidates> {
  switch (type) {
    case 'code':
      return rankCode(project, search);
    case 'symbols':
      return findSymbols(project, search);
    case 'files':
      return findFiles(project, search);
    case 'commits':
      return await findCommits(project, search);
    case 'changes':
      return await findChangesOfProject(project, search, { projectCount });
  }
}
