import { answerQuestion } from '#assistant/chat/answer-question.ts';
import { answerError, type ErrorAnswer } from '#assistant/debug/answer-error.ts';
import type { Tool, ToolResult } from '#assistant/tools/tool.ts';
import { openSourceReader } from '#investigate/text/source-reader.ts';
import { searchCodeAndCommits } from '#search/search.ts';
import { type LocalRepository, readChanges } from './local-repository.ts';

/** What can be asked, of a repository here or of a server. */
export interface Source {
  search(query: string, limit: number): Promise<Found>;
  ask(question: string): Promise<{ answer: string; commit: string }>;
  debug(
    error: string,
  ): Promise<Pick<ErrorAnswer, 'solution' | 'confidence' | 'abstained' | 'indexed_commit'>>;
  /** Null where tools cannot be used one by one. */
  use: ((tool: Tool, input: unknown) => Promise<ToolResult>) | null;
}

export type Found = Awaited<ReturnType<typeof searchCodeAndCommits>> & { commit: string };

/** Asks a repository of this machine, without a server, a database or a model. */
export function askLocal(local: LocalRepository, signal: AbortSignal): Source {
  const { repo, memory, hunks } = local;
  const own = { repo, localBranches: true };
  const now = new Date().toISOString();
  return {
    search: async (q, limit) => ({
      commit: memory.revision,
      ...(await searchCodeAndCommits({ repo, memory, q, limit, signal })),
    }),
    ask: async (text) => {
      const { answer } = await answerQuestion({ text, earlier: [] }, { ...own, memory, now, signal });
      return { answer, commit: memory.revision };
    },
    debug: (error_message) =>
      answerError({ error_message }, { repo, memory, sessions: [], now, signal }, 'en'),
    use: async (tool, input) => {
      if (tool.name === 'search_changes') await readChanges(local, signal);
      const sources = openSourceReader(repo, memory, signal);
      try {
        return await tool.run(input, { ...own, memory, sources, hunks, now: Date.parse(now) / 1000, signal });
      } finally {
        sources.close();
      }
    },
  };
}
