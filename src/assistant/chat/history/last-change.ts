import { isFormattingOnly } from '#evolution/hunk-text.ts';
import { readDiffs } from '#evolution/read-diffs.ts';
import { openChangeIndexIfUsable } from '#memory/changes/change-index.ts';
import { commitsTouching } from '../../tools/file-commits.ts';
import type { ToolContext } from '../../tools/tool.ts';
import type { AuthoredCode } from './authorship.ts';
import { findRangeChanges } from './range-history.ts';

/** The newest commit that changed more than formatting; `skipped` is a newer one that did not. */
interface LastChange {
  commit: number | null;
  skipped: number | null;
}

const MAX_CANDIDATES = 12;
const TIMEOUT_MS = 1_000;

/** Finds the last change of files or lines, apart from merges. */
export async function findLastChange(
  { paths, lines }: AuthoredCode,
  context: ToolContext,
): Promise<LastChange> {
  if (lines && paths.length === 1) {
    const changes = await findRangeChanges({ path: paths[0]!, lines }, 1, context);
    const commit = changes.find(({ isFormatting }) => !isFormatting)?.commit ?? null;
    const [newest] = changes;
    return { commit, skipped: newest?.isFormatting ? newest.commit : null };
  }
  const { repo, index, hunks, signal } = context;
  const touching = [...new Set(paths.flatMap((path) => commitsTouching(path, context)))]
    .filter((commit) => index.commits.parents(commit).length < 2)
    .sort((a, b) => a - b)
    .slice(0, MAX_CANDIDATES);
  const changes = openChangeIndexIfUsable(hunks);
  let skipped: number | null = null;
  for (const commit of touching) {
    const oid = index.commits.oid(commit);
    const diffs = await readDiffs({ repo, hunks: changes }, [oid], { timeoutMs: TIMEOUT_MS, signal });
    const own = diffs.get(oid)?.filter(({ new_path }) => new_path !== null && paths.includes(new_path)) ?? [];
    const edits = own.flatMap((file) => file.hunks);
    if (own.length === 0 || own[0]!.old_path === null || !isFormattingOnly(edits)) return { commit, skipped };
    skipped ??= commit;
  }
  return { commit: touching[0] ?? null, skipped: null };
}
