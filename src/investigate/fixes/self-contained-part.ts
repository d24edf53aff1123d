import type { FileDiff, Hunk } from '#contract/projects.ts';
import { isNonSource } from '#evolution/fixes.ts';

/** Hunks of one file that are applied or reverted together. */
export interface PatchPart {
  path: string;
  hunks: Hunk[];
}

const IDENTIFIER = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
/** Strings and comments, whose words are no names. */
const PROSE =
  /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|\/\/.*$|(?<=^|\s)#.*$|^\s*\*.*$|\/\*.*?\*\//g;

/**
 * Extends a hunk by all hunks of its commit that introduce or drop the same names, so that the part does not need the rest.
 * Null when it needs a file that the commit created, deleted or renamed. Tests and documentation are left out.
 */
export function selfContainedPart(
  diffs: readonly FileDiff[],
  seed: { path: string; hunk: Hunk },
): PatchPart[] | null {
  const hunks = diffs.flatMap((file) =>
    isNonSource(file.new_path ?? file.old_path ?? '')
      ? []
      : file.hunks.map((hunk) => ({ file, hunk, names: changedNames(hunk) })),
  );
  const isSeed = ({ file, hunk }: (typeof hunks)[number]) =>
    file.new_path === seed.path && hunk.new_start === seed.hunk.new_start;
  const chosen = new Set(hunks.filter(isSeed));
  if (chosen.size === 0) return null;
  const names = new Set([...chosen].flatMap((one) => [...one.names]));
  for (let size = -1; size !== chosen.size; ) {
    size = chosen.size;
    for (const one of hunks) {
      if (chosen.has(one) || !one.names.some((name) => names.has(name))) continue;
      chosen.add(one);
      for (const name of one.names) names.add(name);
    }
  }
  const parts = hunks.filter((one) => chosen.has(one));
  if (parts.some(({ file }) => file.old_path === null || file.old_path !== file.new_path)) return null;
  const byPath = Map.groupBy(parts, ({ file }) => file.new_path!);
  return Array.from(byPath, ([path, own]) => ({ path, hunks: own.map(({ hunk }) => hunk) })).sort(
    (a, b) => Number(b.path === seed.path) - Number(a.path === seed.path),
  );
}

/** Names that occur on one side of a hunk only. */
function changedNames({ lines }: Hunk): string[] {
  const on = (side: 'add' | 'delete') =>
    new Set(
      lines
        .filter(({ kind }) => kind === side)
        .flatMap(({ text }) => text.replace(PROSE, ' ').match(IDENTIFIER) ?? []),
    );
  const [added, deleted] = [on('add'), on('delete')];
  return [...added, ...deleted].filter((name) => added.has(name) !== deleted.has(name));
}
