import type { ToolContext } from '../../tools/tool.ts';
import type { Mention } from './entities.ts';

/** Links dependencies of the manifests. */
export async function linkDependencies(_text: string, _context: ToolContext): Promise<Mention[]> {
  return [];
}
