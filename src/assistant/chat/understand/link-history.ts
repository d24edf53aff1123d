import type { ToolContext } from '../../tools/tool.ts';
import type { Mention } from './entities.ts';

const HASH = /\b(?=[a-f]*\d)[0-9a-f]{7,64}\b/g;

/** Links commits that the question names. */
export async function linkHistory(text: string, { index }: ToolContext): Promise<Mention[]> {
  return Array.from(text.matchAll(HASH)).flatMap((match): Mention[] => {
    const commit = index.commits.find(match[0]);
    if (commit < 0) return [];
    const span: [number, number] = [match.index, match.index + match[0].length];
    return [{ entity: { kind: 'commit', commit }, span, score: 1, alternatives: [] }];
  });
}
