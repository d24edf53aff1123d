import type { ToolContext } from '../../tools/tool.ts';
import type { Mention } from './entities.ts';
import { linkCode } from './link-code.ts';
import { linkDependencies } from './link-dependencies.ts';
import { linkHistory } from './link-history.ts';
import { linkPeople } from './link-people.ts';
import { linkVersions } from './link-versions.ts';

const LINKERS = [linkHistory, linkCode, linkVersions, linkPeople, linkDependencies];

/** Links the words of a question to entities of the repository, in their order; of overlapping ones the most specific. */
export async function linkMentions(text: string, context: ToolContext): Promise<Mention[]> {
  const found = (await Promise.all(LINKERS.map((link) => link(text, context)))).flat();
  const kept: Mention[] = [];
  for (const mention of found.toSorted(compareMentions)) {
    if (!kept.some((other) => overlap(other, mention))) kept.push(mention);
  }
  return kept.toSorted((a, b) => a.span[0] - b.span[0]);
}

/** More certain first, then longer. */
function compareMentions(a: Mention, b: Mention): number {
  return b.score - a.score || lengthOf(b) - lengthOf(a);
}

function lengthOf({ span: [from, to] }: Mention): number {
  return to - from;
}

function overlap({ span: [from, to] }: Mention, { span: [otherFrom, otherTo] }: Mention): boolean {
  return from < otherTo && otherFrom < to;
}
