import { AppError } from '#contract/errors.ts';
import { filterProjects, MAX_REVISION_PROJECTS } from '#contract/search-projects.ts';
import { filterValues, isTextType, type SearchQuery } from '#contract/search-query.ts';
import { MAX_SEARCHED_PROJECTS, type ScopedProject } from '#contract/search-results.ts';
import type { RevisionOptions } from '#memory/index/index-revision.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../identity/access.ts';
import { resolveTaskRevision } from '../project-data/revision.ts';
import { openPartialIndex } from '../project-data/storage.ts';
import { findWorkingBranch } from '../project-data/working-branch.ts';

/** The part of a project that a search needs. */
interface SearchableProject {
  id: string;
  name: string;
  git_url: string;
  branch: string | null;
  shard_generation: string | null;
}

/** A project that is searched, with its index. */
export interface OpenProject {
  project: SearchableProject;
  index: RepositoryIndex;
  /** Revision of files and commits; null for the indexed one. */
  at: { revision: string; limits: RevisionOptions['limits'] } | null;
  /** Only commits that this one reaches; null for all. */
  reachableFrom: string | null;
}

export interface SearchScope {
  /** Projects of the query in the order of their list, each with the state of its search. */
  projects: ScopedProject[];
  open: OpenProject[];
  omitted: number;
  unknown: string[];
}

interface ScopeReader {
  caller: Caller;
  signal: AbortSignal;
}

/** Projects of the caller that the `repo:` filters choose, newest first; all without one. */
export async function chooseProjects(
  { db }: Pick<Deps, 'db'>,
  caller: Caller,
  query: Pick<SearchQuery, 'filters'>,
): Promise<{ chosen: SearchableProject[]; omitted: number; unknown: string[] }> {
  const all = await db
    .selectFrom('projects as p')
    .innerJoin('project_members as m', 'm.project_id', 'p.id')
    .where('m.user_id', '=', caller.userId)
    .$if(caller.key?.projectId != null, (one) => one.where('p.id', '=', caller.key!.projectId!))
    .select(['p.id', 'p.name', 'p.git_url', 'p.branch', 'p.shard_generation'])
    .orderBy('p.id', 'desc')
    .execute();
  const { chosen, unknown } = filterProjects(all, query);
  return {
    chosen: chosen.slice(0, MAX_SEARCHED_PROJECTS),
    omitted: Math.max(0, chosen.length - MAX_SEARCHED_PROJECTS),
    unknown,
  };
}

/** Opens the indexes of the chosen projects, at the revision that the query names. Never throws for a single project. */
export async function openScope(
  deps: Deps,
  { ownBranches, ...reader }: ScopeReader & { ownBranches: boolean | undefined },
  query: SearchQuery,
): Promise<SearchScope> {
  const { chosen, omitted, unknown } = await chooseProjects(deps, reader.caller, query);
  const scope: SearchScope = { projects: [], open: [], omitted, unknown };
  if (isTextType(query.type)) {
    scope.projects = chosen.map((project) => describe(project, null, 'searched'));
    return scope;
  }
  const branches = await listBranchedProjects(deps, reader.caller);
  const [revision] = filterValues(query, 'rev');
  for (const project of chosen) {
    const index = await openPartialIndex(deps, project).catch(missingIndex);
    if (!index || isMissing(index, query)) {
      scope.projects.push(describe(project, index, 'not_ready'));
      continue;
    }
    const opening = { ...reader, project, index, query };
    const isAllowed = scope.open.filter(({ at }) => at !== null).length < MAX_REVISION_PROJECTS;
    const { open, state, ownBranch } =
      revision === undefined
        ? await openHead(deps, opening, { hasBranch: branches.has(project.id), ownBranches, isAllowed })
        : await openRevision(deps, opening, { name: revision, isAllowed });
    if (open) scope.open.push(open);
    scope.projects.push({
      ...describe(open?.project ?? project, index, withPending(state, index, query), open),
      ...(ownBranch && { own_branch: ownBranch }),
    });
  }
  return scope;
}

/** True where nothing that the query asks for has been read yet. */
const isMissing = ({ code, pending }: RepositoryIndex, query: SearchQuery) =>
  (code === null && needsCode(query)) || (query.type === 'symbols' && pending.includes('symbols'));

/** State of a search, `partly_indexed` where more will be found once the index is complete. */
function withPending(
  state: ScopedProject['state'],
  { pending }: RepositoryIndex,
  query: SearchQuery,
): ScopedProject['state'] {
  const awaited = query.type === 'code' ? 'symbols' : 'commits';
  const isComplete = query.type === 'files' || !pending.includes(awaited);
  return state !== 'searched' || isComplete ? state : 'partly_indexed';
}

const needsCode = ({ type }: SearchQuery) => type === 'code' || type === 'symbols' || type === 'files';

function missingIndex(error: unknown): null {
  if (error instanceof AppError && error.code === 'index_rebuilding') return null;
  throw error;
}

interface Opening extends ScopeReader {
  project: SearchableProject;
  index: RepositoryIndex;
  query: SearchQuery;
}

interface Opened {
  open: OpenProject | null;
  state: ScopedProject['state'];
  ownBranch?: ScopedProject['own_branch'];
}

/** The indexed head, or the caller's own branch on top of it. */
async function openHead(
  deps: Deps,
  { caller, signal, project, index }: Opening,
  {
    hasBranch,
    ownBranches,
    isAllowed,
  }: { hasBranch: boolean; ownBranches: boolean | undefined; isAllowed: boolean },
): Promise<Opened> {
  const head: OpenProject = { project, index, at: null, reachableFrom: null };
  const branch = hasBranch
    ? await findWorkingBranch(deps, { project, userId: caller.userId, index, signal })
    : null;
  if (branch === null) return { open: head, state: 'searched' };
  // By default, a branch that lacks indexed commits is left out, since they would not be found.
  if (!(ownBranches ?? branch.behind === 0)) return { open: head, state: 'searched', ownBranch: 'left_out' };
  if (!isAllowed) return { open: head, state: 'without_branch' };
  const at = { revision: branch.head, limits: deps.config.git };
  const open = { ...head, at, project: { ...project, branch: branch.name } };
  return { open, state: 'searched', ownBranch: 'searched' };
}

async function openRevision(
  deps: Deps,
  { caller, signal, project: { branch: _, ...rest }, index, query }: Opening,
  { name, isAllowed }: { name: string; isAllowed: boolean },
): Promise<Opened> {
  const project = { ...rest, branch: null };
  const reader = { project, userId: caller.userId, index, signal, revision: name };
  const at = await resolveTaskRevision(deps, reader).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  });
  if (at === undefined) return { open: null, state: 'revision_not_found' };
  const open: OpenProject = { project, index, at, reachableFrom: null };
  if (at === null) return { open, state: 'searched' };
  if (needsCode(query)) {
    return isAllowed ? { open, state: 'searched' } : { open: null, state: 'revision_not_indexed' };
  }
  // Commits are those of the index that the revision reaches.
  return index.commits.find(at.revision) >= 0
    ? { open: { ...open, at: null, reachableFrom: at.revision }, state: 'searched' }
    : { open: null, state: 'revision_not_indexed' };
}

function describe(
  { id, name, branch }: SearchableProject,
  index: RepositoryIndex | null,
  state: ScopedProject['state'],
  open: OpenProject | null = null,
): ScopedProject {
  return {
    ...{ id, name, state },
    commit: open ? (open.at?.revision ?? open.reachableFrom ?? open.index.revision) : null,
    branch: open ? branch : null,
    own_branch: null,
    unindexed_files: index?.code?.skippedCount ?? 0,
    history: null,
  };
}

async function listBranchedProjects({ db }: Pick<Deps, 'db'>, { userId }: Caller): Promise<Set<string>> {
  const rows = await db
    .selectFrom('branches')
    .select('project_id')
    .distinct()
    .where('user_id', '=', userId)
    .execute();
  return new Set(rows.map(({ project_id }) => project_id));
}
