import type { ToolContext } from '../../tools/tool.ts';
import type { Mention } from './entities.ts';
import { linkCode } from './link-code.ts';
import { linkDependencies } from './link-dependencies.ts';
import { linkHistory } from './link-history.ts';
import { linkPeople } from './link-people.ts';
import { linkVersions } from './link-versions.ts';

const LINKERS = [linkHistory, linkDependencies, linkCode, linkVersions, linkPeople];

const MIN_DEPENDENCY_SCORE = 0.75;

/** Links the words of a question to entities of the repository, in their order; of overlapping ones the most specific. */
export async function linkMentions(text: string, context: ToolContext): Promise<Mention[]> {
  const found = (await Promise.all(LINKERS.map((link) => link(text, context)))).flat();
  const kept: Mention[] = [];
  for (const mention of found.toSorted(compareMentions)) {
    if (!kept.some((other) => overlap(other, mention))) kept.push(mention);
  }
  const manifests = new Set(
    kept.flatMap(({ entity, score }) =>
      entity.kind === 'dependency' && score >= MIN_DEPENDENCY_SCORE ? entity.manifests : [],
    ),
  );
  // `left-pad in package.json` is about the dependency, not about the file.
  return kept
    .filter(({ entity }) => entity.kind !== 'file' || !manifests.has(entity.path))
    .toSorted((a, b) => a.span[0] - b.span[0]);
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
