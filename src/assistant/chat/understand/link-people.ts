import type { ToolContext } from '../../tools/tool.ts';
import type { Mention } from './entities.ts';

/** Links people by their names. */
export async function linkPeople(_text: string, _context: ToolContext): Promise<Mention[]> {
  return [];
}
