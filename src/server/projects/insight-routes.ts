import type { FastifyInstance } from 'fastify';
import { AppError } from '#contract/errors.ts';
import { MAX_YEARS, projectOverviewRoutes } from '#contract/project-overview.ts';
import { projectSettingsRoutes } from '#contract/project-settings.ts';
import { MAX_REPLAYABLE, replayRoutes } from '#contract/replay.ts';
import { sumSurveyYears } from '#evolution/code-age.ts';
import { readSurvey } from '#evolution/code-age-survey.ts';
import { compilePathPatterns } from '#git/path-patterns.ts';
import { listUpstreamRefs } from '#git/refs.ts';
import { newestFixes } from '#investigate/backtest/select-fixes.ts';
import type { CodeTable } from '#memory/repository-index.ts';
import type { Deps } from '../deps.ts';
import { abortOnDisconnect, serve } from '../http/serve.ts';
import { projectAccess } from '../identity/access.ts';
import { listGuidanceFiles } from '../llm/guidance-files.ts';
import { SURVEY_FILE, surveyPath } from '../project-data/code-age.ts';
import { hunksFolder } from '../project-data/hunks.ts';
import { openProjectIndex, requireIndex } from '../project-data/storage.ts';
import { listIngestRuns } from './ingest-runs.ts';
import { describeProject } from './overview.ts';

const MAX_BRANCHES = 2000;

/** Serves what members read about a project: its overview, settings, indexing runs, and the replay of a past fix. */
export function registerProjectInsights(app: FastifyInstance, deps: Deps): void {
  serve(app, projectOverviewRoutes.get, async ({ caller, params }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    await deps.projectFiles.follow(project.id, SURVEY_FILE);
    const survey = await readSurvey(surveyPath(deps.config.dataDir, project.id));
    const index = await requireIndex(deps, project);
    const repo = await deps.projectFiles.repositories.open(project.id);
    const overview = await describeProject({ repo, index }, deps.now());
    return { ...overview, code_age: survey ? sumSurveyYears(survey).slice(-MAX_YEARS) : [] };
  });

  serve(app, projectSettingsRoutes.get, async ({ caller, params, reply }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    const { excluded_paths, model_excluded_paths, path_mappings, instructions } = project;
    const { setup_command, setup_hosts, check_command } = project;
    const repo = await deps.projectFiles.repositories.open(project.id);
    const signal = abortOnDisconnect(reply);
    const isFetched = project.fetched_at !== null;
    const refs = isFetched ? await listUpstreamRefs(repo, { max: MAX_BRANCHES, signal }) : [];
    const isKeptFromModels = compilePathPatterns([...excluded_paths, ...model_excluded_paths]);
    const index = await openProjectIndex(deps, project);
    return {
      chosen_branch: project.chosen_branch,
      refresh_hours: project.refresh_hours,
      ...{ excluded_paths, model_excluded_paths, path_mappings, instructions },
      ...{ setup_command, setup_hosts, check_command },
      branches: refs.filter(({ kind }) => kind === 'branch').map(({ name }) => name),
      guidance_files: index ? await listGuidanceFiles(repo, index.revision, isKeptFromModels) : [],
      matches: countMatches(index?.code ?? null, project),
    };
  });

  serve(app, projectSettingsRoutes.runs, async ({ caller, params, query }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    return await listIngestRuns(deps.db, project.id, query);
  });

  serve(app, replayRoutes.start, async ({ caller, params, body, reply }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    const started = performance.now();
    const index = await requireIndex(deps, project);
    const fixes = newestFixes(index.commits, MAX_REPLAYABLE);
    const fix = fixes[body.number];
    if (fix === undefined) throw new AppError('not_found', 'no_fix_to_replay', { reason: 'no_fix' });
    const repo = await deps.projectFiles.repositories.open(project.id);
    const hunks = hunksFolder(deps.config.dataDir, project.id);
    const limits = { ...deps.config.git, excludedPaths: project.indexed_exclusions };
    const task = { repo, hunks, shared: index.shared, fix, limits };
    const signal = deps.projectCancellation.signalFor(project.id, abortOnDisconnect(reply));
    const replayed = await deps.pool.showReplay(task, { userId: caller.userId, signal });
    return { ...replayed, replayable: fixes.length, took_ms: Math.round(performance.now() - started) };
  });
}

/** Indexed files that the patterns for models match, and skipped ones that those for the index match. */
function countMatches(code: CodeTable | null, project: { model_excluded_paths: string[] }) {
  if (code === null) return { excluded: 0, model_excluded: 0 };
  const isMatch = compilePathPatterns(project.model_excluded_paths);
  let excluded = 0;
  for (let at = 0; at < code.skippedCount; at++) if (code.skipped(at).reason === 'excluded') excluded++;
  let modelExcluded = 0;
  if (project.model_excluded_paths.length > 0) {
    for (let file = 0; file < code.fileCount; file++) if (isMatch(code.filePath(file))) modelExcluded++;
  }
  return { excluded, model_excluded: modelExcluded };
}
