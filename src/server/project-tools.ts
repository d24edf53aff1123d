import type { Tool, ToolResult } from '#assistant/tools/tool.ts';
import { share } from '#memory/share.ts';
import type { Deps } from './deps.ts';
import { hunksFolder } from './hunks.ts';
import { pastSessions } from './sessions.ts';
import { projectStorage, requireMemory } from './storage.ts';

/** Uses a tool on a project that the caller may read: access has been checked. Throws AppError in words. */
export async function useProjectTool(
  deps: Deps,
  project: { id: string; shard_generation: string | null },
  { tool, input, signal }: { tool: Pick<Tool, 'name'>; input: unknown; signal?: AbortSignal },
): Promise<ToolResult> {
  const memory = await requireMemory(deps, project);
  const { dataDir } = deps.config;
  const task = {
    repo: projectStorage(dataDir, project.id).repo,
    shared: share(memory),
    hunks: hunksFolder(dataDir, project.id),
    sessions: tool.name === 'investigate_error' ? await pastSessions(deps.db, project.id) : [],
    now: deps.now().toISOString(),
    name: tool.name,
    input,
  };
  return await deps.pool.useTool(task, { signal });
}
