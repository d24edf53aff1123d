import { produceAnswer } from '#assistant/answer/answer-pipeline.ts';
import { parseCitations } from '#assistant/answer/citations.ts';
import type { QuestionAnswer } from '#assistant/chat/answer-question.ts';
import { type ChatAnswer, type ChatRequest, createChatSteps } from '#assistant/chat/chat-steps.ts';
import type { StepLog } from '#assistant/chat/step-log.ts';
import type { IncludedBranch } from '#contract/common.ts';
import { AppError } from '#contract/errors.ts';
import type { Deps } from '../deps.ts';
import type { AccessibleProject } from '../identity/access.ts';
import { type AnswerContextOptions, createAnswerContext } from '../llm/answer-context.ts';
import { runProjectTool } from '../llm/project-tools.ts';
import { hunksFolder } from '../project-data/hunks.ts';
import { findQuestionIssues } from '../project-data/issue-records.ts';
import { requireIndex } from '../project-data/storage.ts';
import { resolveAnswerRevision } from '../project-data/working-branch.ts';
import type { LoadedAttachment } from './attachments.ts';
import { readLogs } from './read-logs.ts';

/** Earlier questions that provide context. */
const MAX_EARLIER_QUESTIONS = 3;

/** Characters of an attached file whose names a question may mean. */
const MAX_LINKED_TEXT = 4_000;

interface ChatCall extends Omit<AnswerContextOptions, 'project' | 'index' | 'revision' | 'purpose'> {
  project: Pick<AccessibleProject, 'id' | 'name' | 'shard_generation' | 'path_mappings'>;
  /** See `workingBranchField`. */
  workingBranch: boolean | null | undefined;
  /** Name of the revision to answer at; absent for the indexed commit. */
  revision: string | null | undefined;
  /** Other members may read the answer. */
  isShared: boolean;
  /** Files of the question. */
  files: readonly LoadedAttachment[];
}

/**
 * Answers a question about a project, after the access check; `commit` is the indexed one, and `at` the one that it is about.
 * Throws `conflict` for a revision that the readers of a shared chat may not see.
 */
export async function answerChat(
  deps: Deps,
  request: ChatRequest,
  { project, files, workingBranch, revision: name, isShared, ...call }: ChatCall,
): Promise<ChatAnswer & { commit: string; at: string; ownBranch: IncludedBranch | null }> {
  const { userId, signal } = call;
  const index = await requireIndex(deps, project, { withCode: true });
  const reader = { project, userId, index, signal };
  const resolved = await resolveAnswerRevision(deps, { ...reader, revision: name, workingBranch });
  const { at } = resolved;
  if (isShared && at?.isDraft) throw new AppError('conflict', 'chat_revision_private');
  // An answer about one's own commits is private, as one that includes the branch.
  const ownBranch = resolved.ownBranch ?? (name && at?.isDraft ? { name, changes: 0 } : null);
  const revision = at?.revision ?? null;
  const context = await createAnswerContext(deps, { ...call, project, index, revision, purpose: 'chat' });
  const { question, useCode, history } = request;
  const questions = history.filter(({ role }) => role === 'user').map(({ content }) => content);
  const attached = files.flatMap(({ kind, text }) =>
    kind === 'file' && text ? text.slice(0, MAX_LINKED_TEXT) : [],
  );
  const earlier = [...attached, ...questions.toReversed().slice(0, MAX_EARLIER_QUESTIONS)];
  const answerFromIndex = async (forModel: boolean) => {
    const queryEmbedding = useCode
      ? await deps.queryEmbedder.embedQuery(question, { project, userId, signal })
      : null;
    const task = {
      ...{ repo: context.repo, shared: index.shared, at, queryEmbedding, useCode },
      hunks: hunksFolder(deps.config.dataDir, project.id),
      question: { text: question, earlier },
      forModel,
      issues: useCode ? await findQuestionIssues(deps.db, project.id, question) : undefined,
      language: context.language,
      now: deps.now().toISOString(),
    };
    return await deps.pool.answerQuestion(task, { userId, signal });
  };
  const collect = async (log: StepLog, forModel: boolean) => {
    const answer = await log.measure(
      { tool: 'search_index', query: question },
      () => answerFromIndex(forModel),
      countSources,
    );
    const logs = await readLogs(deps, files, { project, index, at, context, userId, log });
    return logs === '' ? answer : withLogs(answer, logs);
  };
  const steps = createChatSteps(
    request,
    { collect, runTool: (tool, input) => runProjectTool(deps, project, { tool, input, userId, at, signal }) },
    context,
  );
  return {
    ...(await produceAnswer(steps, context)),
    commit: index.revision,
    at: revision ?? index.revision,
    ownBranch,
  };
}

/** Distinct places and commits. */
function countSources({ answer, context }: QuestionAnswer): number {
  const sources = [...parseCitations(answer), ...parseCitations(context)];
  return new Set(sources.map((source) => JSON.stringify(source))).size;
}

/** Puts what the repository knows about an attached error first: an unsure answer to the words beside it says less. */
function withLogs(found: QuestionAnswer, logs: string): QuestionAnswer {
  const answer = found.abstained ? logs : `${logs}\n\n${found.answer}`;
  return { ...found, answer, context: `${logs}\n\n${found.context}`, abstained: false };
}
