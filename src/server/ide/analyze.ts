import type { z } from 'zod';
import type { ErrorAnswer } from '#assistant/debug/answer-error.ts';
import { excerptAroundErrors, formatAnalysis, formatEarlierFixes } from '#assistant/editor-analysis.ts';
import { AppError } from '#contract/errors.ts';
import { type Analysis, type analyzeBody, MAX_EDITED_BYTES } from '#contract/ide.ts';
import type { Diagnosis } from '#diagnose/check.ts';
import type { CheckerPool } from '#diagnose/checker-pool.ts';
import { shareIndex } from '#memory/index/attached-indexes.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { Deps } from '../deps.ts';
import type { ProjectRow } from '../identity/access.ts';
import { composeWithModel, type EmitProgress } from '../llm/model-answer.ts';
import { errorQueryText } from '../llm/query-embedding.ts';
import { listPastSessions } from '../project-data/debug-sessions.ts';
import { hunksFolder } from '../project-data/hunks.ts';
import { openIndex, projectStorage } from '../project-data/storage.ts';

type AnalyzeRequest = z.output<typeof analyzeBody>;

interface Context {
  deps: Deps;
  checkers: CheckerPool;
  project: ProjectRow;
  userId: string;
  signal: AbortSignal;
  progress: EmitProgress;
  /** Hears of a call that could not be written into the log of what leaves. */
  onLogFailure(error: unknown): void;
}

/**
 * Checks the text of the editor and answers the error that the reader names, if any. The reference pack adds earlier
 * sessions and the earlier fixes of the file. A project that is still being read has its text checked all the same.
 * @throws AppError `too_large` above 1 MiB
 */
export async function analyzeFile(given: Context, body: AnalyzeRequest): Promise<Analysis> {
  const { deps, checkers, project, userId } = given;
  const signal = deps.projectCancellation.signalFor(project.id, given.signal);
  const context = { ...given, signal };
  if (Buffer.byteLength(body.code) > MAX_EDITED_BYTES) {
    throw new AppError('too_large', 'This file is larger than 1 MiB and can’t be checked here.');
  }
  const diagnosis = await checkers.check({ path: body.file_path, text: body.code }, { signal, userId });
  const memory = await openIndex(deps, project);
  const [answer, earlierFixes] = await Promise.all([
    memory && body.error_message?.trim() ? answerTo(context, memory, body, diagnosis) : null,
    memory && body.use_reference_pack
      ? formatEarlierFixes(body.file_path, {
          repo: projectStorage(deps.config.dataDir, project.id).repo,
          memory,
          now: deps.now().getTime() / 1000,
          signal,
        })
      : null,
  ]);
  return {
    errors: diagnosis.diagnostics,
    solution: formatAnalysis({ diagnosis, answer: answer?.solution ?? null, earlierFixes }),
    checkers: diagnosis.checkedBy,
    patch: answer?.patch ?? null,
    model_run: answer?.model_run ?? null,
  };
}

/** The answer that the debug call would give, without a session: nothing was asked that others should find. */
async function answerTo(
  { deps, checkers, project, userId, signal, progress, onLogFailure }: Context,
  memory: RepositoryIndex,
  body: AnalyzeRequest,
  diagnosis: Diagnosis,
): Promise<ErrorAnswer> {
  progress('step', { step: 'reading' });
  const request = {
    error_message: body.error_message ?? '',
    file_path: body.file_path,
    additional_context: body.additional_context,
    code_snippet: excerptAroundErrors(body.code, diagnosis.diagnostics),
  };
  const found = await deps.pool.answer(
    {
      repo: projectStorage(deps.config.dataDir, project.id).repo,
      hunks: hunksFolder(deps.config.dataDir, project.id),
      shared: shareIndex(memory),
      meaning: await deps.queryEmbedder.embedQuery(errorQueryText(body), { project, userId, signal }),
      request,
      sessions: body.use_reference_pack ? await listPastSessions(deps.db, project.id) : [],
      now: deps.now().toISOString(),
    },
    { userId, signal },
  );
  const asking = { project, userId, memory, checkers, signal, progress, onLogFailure };
  return await composeWithModel(deps, found, request, asking);
}
