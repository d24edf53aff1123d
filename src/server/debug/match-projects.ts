import type { Selectable } from 'kysely';
import { MAX_MATCHED_PROJECTS, type ProjectScore } from '#contract/debug.ts';
import type { ProjectsTable } from '#db/project-tables.ts';
import { isForeign } from '#investigate/kind/match-project.ts';
import type { ErrorReport } from '#investigate/locate/error-report.ts';
import type { Deps } from '../deps.ts';
import { openProjectIndex } from '../project-data/storage.ts';

/** Score of a project by which its frames, message or names suffice to choose it. */
const MIN_SCORE = 1.5;
/** Lead over the second project. */
const MIN_LEAD = 1.2;

interface MatchRequest {
  userId: string;
  /** Left out, since the error was asked there. */
  exceptProjectId?: string;
  request: ErrorReport;
  signal: AbortSignal;
}

/** Ranks the user's most recently used projects by how well an error matches them. */
export async function rankProjectsForError(deps: Deps, match: MatchRequest): Promise<ProjectScore[]> {
  const projects = await listRecentProjects(deps, match);
  const scored = await Promise.all(projects.map((project) => scoreFor(deps, project, match)));
  const ranked = scored.filter((one) => one !== null).sort((a, b) => b.score - a.score);
  const isClear = isClearMatch(ranked);
  return ranked.map(({ isEvident: _, ...one }, at) => ({ ...one, is_match: at === 0 && isClear }));
}

/** True when the evidence suffices to choose the first of the projects, best first. */
export function isClearMatch([best, second]: readonly { score: number; isEvident: boolean }[]): boolean {
  if (!best?.isEvident) return false;
  return best.score >= MIN_SCORE && best.score >= MIN_LEAD * (second?.score ?? 0);
}

type RecentProject = Pick<Selectable<ProjectsTable>, 'id' | 'name' | 'shard_generation' | 'path_mappings'>;

/** Indexed projects of a user: those with the newest sessions of that user first, then the most recently changed. */
async function listRecentProjects(
  { db }: Pick<Deps, 'db'>,
  { userId, exceptProjectId }: MatchRequest,
): Promise<RecentProject[]> {
  return await db
    .selectFrom('projects as p')
    .innerJoin('project_members as m', 'm.project_id', 'p.id')
    .select(['p.id', 'p.name', 'p.shard_generation', 'p.path_mappings'])
    .where('m.user_id', '=', userId)
    .where('p.shard_generation', 'is not', null)
    .where('p.indexed_commit', 'is not', null)
    .$if(exceptProjectId !== undefined, (query) => query.where('p.id', '!=', exceptProjectId!))
    .orderBy(
      (eb) =>
        eb
          .selectFrom('debug_sessions as s')
          .select((select) => select.fn.max('s.created_at').as('used'))
          .whereRef('s.project_id', '=', 'p.id')
          .where('s.user_id', '=', userId),
      (order) => order.desc().nullsLast(),
    )
    .orderBy('p.updated_at', 'desc')
    .limit(MAX_MATCHED_PROJECTS)
    .execute();
}

/** Null for a project whose index is unavailable. */
async function scoreFor(
  deps: Deps,
  project: RecentProject,
  { userId, request, signal }: MatchRequest,
): Promise<(Omit<ProjectScore, 'is_match'> & { isEvident: boolean }) | null> {
  try {
    const index = await openProjectIndex(deps, project);
    if (!index) return null;
    const repo = await deps.projectFiles.repositories.open(project.id);
    const pathMappings = project.path_mappings;
    const found = await deps.pool.scoreProject(
      async () => ({ repo, shared: index.shared, request, pathMappings }),
      { userId, signal },
    );
    return {
      ...{ id: project.id, name: project.name, score: Math.round(found.score * 100) / 100 },
      ...{ matched_frames: found.matchedFrames, frames: found.frames },
      isEvident: !isForeign(found),
    };
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}
