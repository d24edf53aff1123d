import type { z } from 'zod';
import type { EmitAnswerEvent } from '#assistant/answer/answer-context.ts';
import { produceAnswer } from '#assistant/answer/answer-pipeline.ts';
import type { ErrorAnswer } from '#assistant/debug/answer-error.ts';
import { createDebugSteps } from '#assistant/debug/debug-steps.ts';
import { excerptAroundErrors, formatAnalysis, formatEarlierFixes } from '#assistant/editor-analysis.ts';
import type { Analysis, analyzeBody, Check } from '#contract/analysis.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { Deps } from '../deps.ts';
import type { AccessibleProject } from '../identity/access.ts';
import { loadUserLanguage } from '../identity/user-store.ts';
import { createAnswerContext } from '../llm/answer-context.ts';
import { errorQueryText } from '../llm/query-embedding.ts';
import { listPastSessions } from '../project-data/debug-sessions.ts';
import { hunksFolder } from '../project-data/hunks.ts';
import { openProjectIndex, projectStorage } from '../project-data/storage.ts';
import { type Checkers, checkText } from './check-file.ts';

type AnalyzeRequest = z.output<typeof analyzeBody>;

interface AnalysisContext {
  deps: Deps;
  checkers: Checkers;
  project: AccessibleProject;
  userId: string;
  signal: AbortSignal;
  emit: EmitAnswerEvent;
  /** Reports a failed write to the egress log. */
  onLogFailure(error: unknown): void;
}

/**
 * Checks the editor’s text and investigates the given error, if any. The reference pack adds earlier sessions and fixes of the
 * file. Text is also checked before the project is indexed.
 * @throws AppError `too_large` above 1 MiB
 */
export async function analyzeFile(options: AnalysisContext, body: AnalyzeRequest): Promise<Analysis> {
  const { deps, project, userId } = options;
  const signal = deps.projectCancellation.signalFor(project.id, options.signal);
  const context = { ...options, signal };
  const check = await checkText(context, { ...body, with_fixes: true });
  const index = await openProjectIndex(deps, project);
  const locale = { language: await loadUserLanguage(deps.db, userId), now: deps.now().getTime() / 1000 };
  const [answer, earlierFixes] = await Promise.all([
    index && body.error_message?.trim() ? investigate(context, index, body, check) : null,
    index && body.use_reference_pack
      ? formatEarlierFixes(body.file_path, {
          ...locale,
          repo: projectStorage(deps.config.dataDir, project.id).repo,
          index,
          signal,
        })
      : null,
  ]);
  return {
    ...check,
    solution: formatAnalysis(
      { findings: check.errors, answer: answer?.solution ?? null, earlierFixes },
      locale,
    ),
    patch: answer?.patch ?? null,
    model_run: answer?.model_run ?? null,
  };
}

/** Same answer as the debug call, without saving a session. */
async function investigate(
  { deps, checkers, ...options }: AnalysisContext,
  index: RepositoryIndex,
  body: AnalyzeRequest,
  check: Check,
): Promise<ErrorAnswer> {
  const { project, userId, signal } = options;
  // Findings about types say little of an error at run time.
  const faults = check.errors.filter(({ source }) => !source.startsWith('typescript '));
  const request = {
    error_message: body.error_message ?? '',
    file_path: body.file_path,
    additional_context: body.additional_context,
    code_snippet: excerptAroundErrors(body.code, faults),
  };
  const purpose = 'debug';
  const context = await createAnswerContext(deps, { ...options, index, revision: null, purpose });
  const collect = async () => {
    const caller = { project, userId, signal };
    const queryEmbedding = await deps.queryEmbedder.embedQuery(errorQueryText(body), caller);
    return await deps.pool.answerError(
      async () => ({
        repo: context.repo,
        hunks: hunksFolder(deps.config.dataDir, project.id),
        shared: index.shared,
        queryEmbedding,
        request,
        sessions: body.use_reference_pack ? await listPastSessions(deps.db, project.id) : [],
        language: context.language,
        now: deps.now().toISOString(),
      }),
      { userId, signal },
    );
  };
  return await produceAnswer(
    createDebugSteps(request, { collect, checkers: checkers.texts }, context),
    context,
  );
}
