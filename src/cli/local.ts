import { answerQuestion } from '#assistant/chat/answer-question.ts';
import { answerError } from '#assistant/debug/answer-error.ts';
import type { Tool, ToolResult } from '#assistant/tools/tool.ts';
import type { OfferedReading } from '#contract/chat.ts';
import { openSourceReader } from '#investigate/locate/source-reader.ts';
import { searchCodeAndCommits } from '#search/code/search-code.ts';
import { indexLocalChanges, type LocalRepository } from './local-repository.ts';
import type { FailureAnswer } from './why/failure-report.ts';

/** Queries to a local repository or a server. */
export interface QuerySource {
  search(query: string, limit: number): Promise<QueryResults>;
  ask(question: string): Promise<{ answer: string; commit: string; readings: OfferedReading[] }>;
  debug(error: string): Promise<FailureAnswer>;
  /** Absolute path of the git directory; null for a server without a checkout. */
  repo: string | null;
  /** Null where single tools are not available. */
  use: ((tool: Tool, input: unknown) => Promise<ToolResult>) | null;
}

export type QueryResults = Awaited<ReturnType<typeof searchCodeAndCommits>> & { commit: string };

/** Queries a local repository, without a server, database or model. */
export function createLocalSource(local: LocalRepository, signal: AbortSignal): QuerySource {
  const { repo, index, hunks } = local;
  const own = { repo, localBranches: true };
  const now = new Date().toISOString();
  return {
    repo,
    search: async (q, limit) => ({
      commit: index.revision,
      ...(await searchCodeAndCommits({ repo, index, q, limit, signal })),
    }),
    ask: async (text) => {
      const { answer, readings } = await answerQuestion(
        { text, earlier: [] },
        { ...own, index, hunks, now, signal },
      );
      return { answer, readings, commit: index.revision };
    },
    debug: (error_message) =>
      answerError({ error_message }, { repo, index, sessions: [], now, signal }, 'en'),
    use: async (tool, input) => {
      if (tool.name === 'search_changes') await indexLocalChanges(local, signal);
      const sources = openSourceReader(repo, index, signal);
      try {
        return await tool.run(input, { ...own, index, sources, hunks, now: Date.parse(now) / 1000, signal });
      } finally {
        sources.close();
      }
    },
  };
}
