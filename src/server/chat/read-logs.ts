import type { AnswerContext } from '#assistant/answer/answer-context.ts';
import { answerText } from '#assistant/answer/answer-text.ts';
import { parseCitations } from '#assistant/answer/citations.ts';
import { inlineCode } from '#assistant/answer/markdown.ts';
import type { StepLog } from '#assistant/chat/step-log.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { Deps } from '../deps.ts';
import type { AccessibleProject } from '../identity/access.ts';
import { listPastSessions } from '../project-data/debug-sessions.ts';
import { hunksFolder } from '../project-data/hunks.ts';
import type { resolveAnswerRevision } from '../project-data/working-branch.ts';
import type { LoadedAttachment } from './attachments.ts';
import { errorPartOf } from './read-attachment.ts';

interface LogReading {
  project: Pick<AccessibleProject, 'id' | 'path_mappings'>;
  index: RepositoryIndex;
  /** Revision of the answer, where it is not the indexed one. */
  at: Awaited<ReturnType<typeof resolveAnswerRevision>>['at'];
  context: AnswerContext;
  userId: string;
  log: StepLog;
}

/** Logs of one question that are read as errors. */
const MAX_LOGS = 2;

/** Reads attached logs as errors: frames, suspects and earlier fixes, each under the name of its file; empty without logs. */
export async function readLogs(
  deps: Deps,
  files: readonly LoadedAttachment[],
  { project, index, at, context, userId, log }: LogReading,
): Promise<string> {
  const logs = files.filter(({ kind }) => kind === 'log').slice(0, MAX_LOGS);
  const parts: string[] = [];
  for (const { name, text } of logs) {
    const readError = async () => {
      const task = {
        ...{ repo: context.repo, shared: index.shared, at, queryEmbedding: null },
        hunks: hunksFolder(deps.config.dataDir, project.id),
        pathMappings: project.path_mappings,
        request: { error_message: errorPartOf(text ?? '') },
        sessions: await listPastSessions(deps.db, project.id),
        language: context.language,
        now: deps.now().toISOString(),
      };
      return await deps.pool.answerError(task, { userId, signal: context.signal });
    };
    const found = await log.measure({ tool: 'read_log', query: name }, readError, ({ solution }) => {
      return new Set(parseCitations(solution).map((citation) => JSON.stringify(citation))).size;
    });
    const heading = answerText(context, 'attached_log', { name: inlineCode(name) });
    parts.push(`**${heading}**\n\n${found.solution}`);
  }
  return parts.join('\n\n');
}
