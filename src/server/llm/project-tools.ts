import type { Tool, ToolResult } from '#assistant/tools/tool.ts';
import type { QueryEmbedding } from '#memory/vectors/passage-similarity.ts';
import type { Deps } from '../deps.ts';
import { listPastSessions } from '../project-data/debug-sessions.ts';
import { hunksFolder } from '../project-data/hunks.ts';
import { findToolIssues } from '../project-data/issue-records.ts';
import type { TaskRevision } from '../project-data/revision.ts';
import { projectStorage, requireIndex } from '../project-data/storage.ts';
import type { EmbeddingCaller } from './query-embedding.ts';

interface ToolCall {
  tool: Pick<Tool, 'name'>;
  input: unknown;
  userId: string;
  /** Another revision to answer at. */
  at?: TaskRevision | null;
  signal?: AbortSignal;
}

/** Runs a tool on a project in the thread pool. Access must have been checked. */
export async function runProjectTool(
  deps: Deps,
  project: { id: string; shard_generation: string | null },
  { tool, input, userId, at = null, signal: caller }: ToolCall,
): Promise<ToolResult> {
  const index = await requireIndex(deps, project);
  const { dataDir } = deps.config;
  const signal = deps.projectCancellation.signalFor(project.id, caller);
  const queryEmbedding = await embedInput(deps, { tool, input }, { project, userId, signal });
  const loadTask = async () => ({
    repo: projectStorage(dataDir, project.id).repo,
    shared: index.shared,
    at,
    queryEmbedding,
    hunks: hunksFolder(dataDir, project.id),
    issues: tool.name === 'issues' ? await findToolIssues(deps.db, project.id, input) : undefined,
    sessions: tool.name === 'investigate_error' ? await listPastSessions(deps.db, project.id) : [],
    now: deps.now().toISOString(),
    name: tool.name,
    input,
  });
  return await deps.pool.runTool(loadTask, { userId, signal });
}

/** Input field of each tool that is embedded for ranking code. */
const TEXT_FIELDS: Record<string, string> = { search_code: 'query', investigate_error: 'error' };

async function embedInput(
  { queryEmbedder }: Pick<Deps, 'queryEmbedder'>,
  { tool, input }: Pick<ToolCall, 'tool' | 'input'>,
  caller: EmbeddingCaller,
): Promise<QueryEmbedding | null> {
  const field = TEXT_FIELDS[tool.name];
  const text = field && typeof input === 'object' && input !== null && Reflect.get(input, field);
  return typeof text === 'string' ? await queryEmbedder.embedQuery(text, caller) : null;
}
