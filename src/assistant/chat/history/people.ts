import { identifyAuthors } from '#evolution/authors.ts';
import type { ToolContext } from '../../tools/tool.ts';

/** Names of the authors as `.mailmap` and their emails unite them. */
interface People {
  /** Name of a commit's author. */
  authorOf(commit: number): string;
}

/** Reads `.mailmap` and unites the names of each email. */
export async function readPeople({ index, sources }: ToolContext): Promise<People> {
  const lines = (await sources.lines('.mailmap').catch(() => null)) ?? [];
  const { names, authorOf } = identifyAuthors(index, lines);
  return { authorOf: (commit) => names[authorOf[commit]!]! };
}
