import { answerText, moreItem } from '../../answer/answer-text.ts';
import { formatCommit } from '../../answer/markdown.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { COMMIT_KINDS, commitKind } from './commit-kind.ts';

/** Listed commits in all, and of maintenance beside others. */
const MAX_COMMITS = 14;
const MAX_MAINTENANCE = 3;

/** Lists commits by kind under headings, newest first in each; maintenance last and shortened. */
export function listByKind(commits: readonly number[], context: ToolContext): string {
  const groups = Map.groupBy(commits, (commit) => commitKind(context.index, commit));
  const sections: string[] = [];
  let left = MAX_COMMITS;
  for (const kind of COMMIT_KINDS) {
    const group = groups.get(kind) ?? [];
    const limit = kind === 'maintenance' && sections.length > 0 ? Math.min(left, MAX_MAINTENANCE) : left;
    if (group.length === 0) continue;
    const shown = group.slice(0, limit);
    left -= shown.length;
    const heading = `**${answerText(context, `changes.kind.${kind}`)}** (${group.length})`;
    sections.push([heading, '', ...listItems(shown, group.length, context)].join('\n'));
  }
  return sections.join('\n\n');
}

/** One list item per commit, and the number of those that are not shown. */
export function listItems(shown: readonly number[], total: number, context: ToolContext): string[] {
  const items = shown.map((commit) => `- ${formatCommit(context.index, commit)}`);
  return [...items, ...moreItem(context, total - shown.length)];
}
