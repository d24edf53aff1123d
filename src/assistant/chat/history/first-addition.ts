import { searchHistory } from '#search/changes/search-history.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { isSourceText } from '../understand/source-texts.ts';

type FirstAddition = Awaited<ReturnType<typeof searchHistory>>['first_added'];

/** Finds the first change of the history that added a text to a source file; null where none did, and without a change index. */
export async function findFirstAddition(
  text: string,
  { repo, index, hunks, signal }: ToolContext,
): Promise<FirstAddition> {
  if (!hunks) return null;
  const { first_added } = await searchHistory({
    ...{ directory: hunks, repo, index, signal },
    ...{ q: text, match: 'exact', side: 'added', acceptsPath: isSourceText },
    // Only the first change is needed; a list of the newest ones unpacks further patches.
    limit: 0,
  });
  return first_added;
}
