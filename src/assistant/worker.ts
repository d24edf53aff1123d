import type { MessagePort } from 'node:worker_threads';
import type { BacktestCase } from '#contract/backtest.ts';
import { AppError, type ErrorCode } from '#contract/errors.ts';
import type { PastFix } from '#investigate/backtest/choose.ts';
import { replayFix } from '#investigate/backtest/replay.ts';
import type { ErrorReport } from '#investigate/error-text.ts';
import type { PastSession } from '#investigate/sessions.ts';
import { openSourceText } from '#investigate/source-text.ts';
import type { Trust } from '#investigate/trust.ts';
import { openUsableHunks } from '#memory/changes/change-index.ts';
import { attach, type SharedMemory } from '#memory/index/attached-indexes.ts';
import { memoryAt, type RevisionOptions } from '#memory/index/index-revision.ts';
import { viewAt } from '#memory/index/superset.ts';
import { forgetRemovedProjects } from '#memory/release-removed.ts';
import type { Memory } from '#memory/repository-index.ts';
import type { Meaning } from '#memory/vectors/passage-similarity.ts';
import { yieldIfDue } from '#scheduling/yield.ts';
import { type HistoryFound, type HistoryOptions, searchHistory } from '#search/history.ts';
import { search } from '#search/search.ts';
import { answerQuestion, type ChatQuestion, type QuestionAnswer } from './chat/answer-question.ts';
import { answerError, type ErrorAnswer } from './debug/answer-error.ts';
import { requireTool } from './tools/registry.ts';
import type { ToolResult } from './tools/tool.ts';

/** What every task names: the repository and its memory, which threads share and don't copy. */
interface Task {
  repo: string;
  shared: SharedMemory;
  /** What the question means to an embedding model, where there is one. */
  meaning?: Meaning | null;
}

/** A task that may ask about another revision, a full hash, than the memory's own. */
interface TimedTask extends Task {
  at?: { revision: string; limits: RevisionOptions['limits'] } | null;
}

/** An error to answer. */
export interface AnswerTask extends TimedTask {
  /** Folder of the hunks; without it all changes are asked of git. */
  hunks?: string;
  request: ErrorReport;
  sessions: PastSession[];
  /** What is known of earlier answers about this repository. */
  trust?: Trust;
  /** ISO 8601. */
  now: string;
}

/** Words to search for. */
export interface SearchTask extends TimedTask {
  q: string;
  limit: number;
}

/** What to look for in the changes of the history. */
export interface HistoryTask extends Task, Omit<HistoryOptions, 'repo' | 'memory' | 'signal'> {}

/** A question of a chat. */
export interface ConsultTask extends Task {
  question: ChatQuestion;
  /** False: the history alone is asked, not the code. */
  useCode: boolean;
  /** ISO 8601. */
  now: string;
}

/** A tool to use. */
export interface ToolTask extends Task {
  name: string;
  input: unknown;
  /** The folder of the changes of the history, or null. */
  hunks: string | null;
  sessions: PastSession[];
  /** ISO 8601. */
  now: string;
}

/** A past fix to replay; the memory holds what lay at its parent. */
export interface ReplayTask extends Task {
  /** Folder of the hunks; without it all changes are asked of git. */
  hunks?: string;
  fix: PastFix;
}

/** A task on its way into the thread; a message on `stop` ends it. */
export type Sent<T> = T & { stop: MessagePort };

/** What comes back: errors as plain data, since a thread's boundary strips them of their class and code. */
export type Outcome<T> = { value: T } | { error: { code: ErrorCode; message: string; reason?: string } };

/** Answers an error; runs in a thread of the pool. */
export function answer({ stop, request, ...task }: Sent<AnswerTask>): Promise<Outcome<ErrorAnswer>> {
  const { repo, meaning, sessions, trust, now } = task;
  return settle(stop, async (signal) => {
    const memory = await memoryOf(task, signal);
    const hunks = openUsableHunks(task.hunks);
    return await answerError(request, { repo, hunks, meaning, sessions, trust, now, memory, signal });
  });
}

/** Searches; runs in a thread of the pool. */
export function find({ stop, q, limit, ...task }: Sent<SearchTask>): Promise<Outcome<SearchResult>> {
  return settle(stop, async (signal) => {
    const memory = await memoryOf(task, signal);
    const { repo, meaning } = task;
    return await search({ repo, memory, q, limit, meaning, signal });
  });
}

async function memoryOf({ repo, shared, at }: TimedTask, signal: AbortSignal): Promise<Memory> {
  const memory = attach(shared);
  if (!at) return memory;
  const found = await memoryAt(repo, memory, at.revision, { limits: at.limits, signal });
  await yieldIfDue(signal);
  return found;
}

/** Searches the changes of the history; runs in a thread of the pool. */
export function findChanges({ stop, shared, ...task }: Sent<HistoryTask>): Promise<Outcome<HistoryFound>> {
  return settle(stop, (signal) => searchHistory({ ...task, memory: attach(shared), signal }));
}

/** Asks the repository what a chat wants to know; runs in a thread of the pool. */
export function ask(task: Sent<ConsultTask>): Promise<Outcome<QuestionAnswer>> {
  const { stop, repo, shared, meaning, question, useCode, now } = task;
  const memory = attach(useCode ? shared : { ...shared, code: null });
  return settle(stop, (signal) => answerQuestion(question, { repo, memory, meaning, now, signal }));
}

/** Uses a tool; runs in a thread of the pool. */
export function useTool({
  stop,
  shared,
  now,
  name,
  input,
  ...task
}: Sent<ToolTask>): Promise<Outcome<ToolResult>> {
  return settle(stop, async (signal) => {
    const memory = attach(shared);
    const sources = openSourceText(task.repo, memory, signal);
    try {
      const context = { ...task, memory, sources, now: Date.parse(now) / 1000, signal };
      return await requireTool(name).run(input, context);
    } finally {
      sources.close();
    }
  });
}

/** Replays a past fix on its parent; runs in a thread of the pool. */
export function replay({ stop, repo, shared, fix, hunks }: Sent<ReplayTask>): Promise<Outcome<BacktestCase>> {
  return settle(stop, async (signal) => {
    const memory = await viewAt(repo, attach(shared), fix.parent, { signal });
    return await replayFix(fix, { repo, hunks: openUsableHunks(hunks), memory, signal });
  });
}

/** Passages and commits that fit. */
export type SearchResult = Awaited<ReturnType<typeof search>>;

async function settle<T>(stop: MessagePort, work: (signal: AbortSignal) => Promise<T>): Promise<Outcome<T>> {
  forgetRemovedProjects();
  const stopped = new AbortController();
  stop.once('message', () => stopped.abort());
  try {
    return { value: await work(stopped.signal) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { error: { code: error.code, message: error.message, reason: error.reason } };
  } finally {
    stop.close();
  }
}
