import type { ToolContext } from '../../tools/tool.ts';
import type { Mention } from './entities.ts';

/** Links tags, versions, ranges, dates and periods. */
export async function linkVersions(_text: string, _context: ToolContext): Promise<Mention[]> {
  return [];
}
