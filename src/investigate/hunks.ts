import type { FileDiff, Hunk } from '#contract/projects.ts';
import { parsePatch } from '#git/diff.ts';
import { git } from '#git/run.ts';

const TIME_LIMIT_MS = 4_000;
const MAX_OUTPUT = 32 * 1024 * 1024;
const COMMIT_LINE = /^([0-9a-f]{40}|[0-9a-f]{64})\n/gm;

/**
 * Diffs of many commits in one process, by commit: 250 commits of git's own history take a tenth of what 250
 * processes do. Only the given paths when there are any; merges have no diff of their own. Commits are left out
 * rather than waited for: what git has printed when the time is up is not used, and the answer does without.
 */
export async function readHunks(
  repo: string,
  oids: string[],
  { paths = [], signal }: { paths?: string[]; signal?: AbortSignal },
): Promise<Map<string, FileDiff[]>> {
  if (oids.length === 0) return new Map();
  const args = [
    'diff-tree',
    '--stdin',
    '-r',
    '-p',
    '-M',
    '--root',
    '--no-color',
    '--no-ext-diff',
    '--no-textconv',
  ];
  const { stdout } = await git(repo, args, {
    name: 'read hunks',
    paths,
    input: `${oids.join('\n')}\n`,
    timeoutMs: TIME_LIMIT_MS,
    maxOutput: MAX_OUTPUT,
    signal,
  });
  return splitCommits(stdout.toString('utf8'));
}

/** Lines of a patch begin with a sign or a keyword, so a line that is a bare hash is the next commit. */
function splitCommits(output: string): Map<string, FileDiff[]> {
  const diffs = new Map<string, FileDiff[]>();
  const starts = [...output.matchAll(COMMIT_LINE)];
  for (const [index, start] of starts.entries()) {
    const end = starts[index + 1]?.index ?? output.length;
    diffs.set(start[1]!, parsePatch(output.slice(start.index + start[0].length, end)));
  }
  return diffs;
}

/** Added and deleted lines of a hunk as one text. */
export function changedText(hunk: Hunk): string {
  return hunk.lines
    .filter((line) => line.kind !== 'context')
    .map((line) => line.text)
    .join('\n');
}

/** Whether hunks change nothing but layout: the same characters go out and come in, blanks and quotes apart. */
export function isFormatting(hunks: Hunk[]): boolean {
  return hunks.length > 0 && hunks.every((hunk) => squeezed(hunk, 'add') === squeezed(hunk, 'delete'));
}

function squeezed(hunk: Hunk, kind: 'add' | 'delete'): string {
  return hunk.lines
    .filter((line) => line.kind === kind)
    .map((line) => line.text.replace(/[\s'"`,;()]+/g, ''))
    .join('');
}

/** Writes hunks of one file as a patch that `git apply` takes; `reverse` swaps what goes out and what comes in. */
export function writePatch(path: string, hunks: Hunk[], { reverse = false } = {}): string {
  const body = hunks.flatMap((hunk) => {
    const from = `${hunk.old_start},${hunk.old_lines}`;
    const to = `${hunk.new_start},${hunk.new_lines}`;
    return [reverse ? `@@ -${to} +${from} @@` : `@@ -${from} +${to} @@`, ...writeLines(hunk, reverse)];
  });
  return [`diff --git a/${path} b/${path}`, `--- a/${path}`, `+++ b/${path}`, ...body, ''].join('\n');
}

/** In a patch the lines that go out stand before those that come in. */
function writeLines(hunk: Hunk, reverse: boolean): string[] {
  const gone = reverse ? 'add' : 'delete';
  const out: string[] = [];
  let coming: string[] = [];
  for (const line of hunk.lines) {
    if (line.kind === 'context') {
      out.push(...coming, ` ${line.text}`);
      coming = [];
    } else if (line.kind === gone) out.push(`-${line.text}`);
    else coming.push(`+${line.text}`);
  }
  return [...out, ...coming];
}
