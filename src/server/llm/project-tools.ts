import type { Tool, ToolResult } from '#assistant/tools/tool.ts';
import { shareIndex } from '#memory/index/attached-indexes.ts';
import type { QueryEmbedding } from '#memory/vectors/passage-similarity.ts';
import type { Deps } from '../deps.ts';
import { pastSessions } from '../project-data/debug-sessions.ts';
import { hunksFolder } from '../project-data/hunks.ts';
import { projectStorage, requireMemory } from '../project-data/storage.ts';
import type { Asker } from './query-embedding.ts';

interface ToolUse {
  tool: Pick<Tool, 'name'>;
  input: unknown;
  /** Who asks. */
  userId: string;
  signal?: AbortSignal;
}

/** Uses a tool on a project that the caller may read: access has been checked. Throws AppError in words. */
export async function useProjectTool(
  deps: Deps,
  project: { id: string; shard_generation: string | null },
  { tool, input, userId, signal: caller }: ToolUse,
): Promise<ToolResult> {
  const memory = await requireMemory(deps, project);
  const { dataDir } = deps.config;
  const signal = deps.projectWork.register(project.id, caller);
  const task = {
    repo: projectStorage(dataDir, project.id).repo,
    shared: shareIndex(memory),
    meaning: await meaningOfInput(deps, { tool, input }, { project, userId, signal }),
    hunks: hunksFolder(dataDir, project.id),
    sessions: tool.name === 'investigate_error' ? await pastSessions(deps.db, project.id) : [],
    now: deps.now().toISOString(),
    name: tool.name,
    input,
  };
  return await deps.pool.useTool(task, { userId, signal });
}

/** The field that each tool which ranks code by a text takes it from. */
const TEXTS: Record<string, string> = { search_code: 'query', investigate_error: 'error' };

async function meaningOfInput(
  { meanings }: Pick<Deps, 'meanings'>,
  { tool, input }: Pick<ToolUse, 'tool' | 'input'>,
  asker: Asker,
): Promise<QueryEmbedding | null> {
  const field = TEXTS[tool.name];
  const text = field && typeof input === 'object' && input !== null && Reflect.get(input, field);
  return typeof text === 'string' ? await meanings.of(text, asker) : null;
}
