import { z } from 'zod';
import type { FileDiff } from '#contract/projects.ts';
import { diffBetween } from '#git/diff.ts';
import { log } from '#git/log.ts';
import { answerText } from '../answer/answer-text.ts';
import { citeCommit } from '../answer/citations.ts';
import { formatCommit, inlineCode } from '../answer/markdown.ts';
import { resolveOid } from './resolve-revision.ts';
import { defineTool, revisionInput, type ToolContext, textInput } from './tool.ts';

const MAX_COMMITS = 5_000;
const MAX_LISTED_COMMITS = 12;
const MAX_LISTED_FILES = 12;
const MAX_PATCH_BYTES = 4 * 2 ** 20;
const TIMEOUT_MS = 20_000;

export const compareRevisions = defineTool('compare_revisions', {
  input: z.object({
    from: revisionInput,
    to: revisionInput.optional(),
    path: textInput(1000).optional().describe('Only this file or folder'),
  }),
  async execute({ from, to, path: only }, context) {
    const [a, b] = [await resolveOid(from, context), await resolveOid(to, context)];
    const folder = only?.replace(/\/+$/, '');
    const commits = await commitsBetween(a, b, folder, context);
    const files = await diffBetween(context.repo, a, b, {
      context: 0,
      maxBytes: MAX_PATCH_BYTES,
      ...(folder && { paths: [folder] }),
      signal: context.signal,
    });
    // This tool answers in English only.
    const count = (key: 'commits' | 'files', { length }: unknown[]) =>
      answerText({ now: context.now }, key, { count: length });
    const where = folder ? ` in ${inlineCode(folder)}` : '';
    const head = `From ${citeCommit(a, context.index.commits)} to ${citeCommit(b, context.index.commits)}${where}: ${count('commits', commits)}, ${count('files', files)}.`;
    const shown = commits
      .slice(0, MAX_LISTED_COMMITS)
      .map((commit) => `- ${formatCommit(context.index, commit)}`);
    if (commits.length > shown.length) shown.push(`- and ${commits.length - shown.length} more`);
    const changed = rankByChangedLines(files).slice(0, MAX_LISTED_FILES);
    if (files.length > changed.length) changed.push(`- and ${files.length - changed.length} more`);
    return [head, shown.join('\n'), changed.length > 0 ? `Most changed files:\n\n${changed.join('\n')}` : '']
      .filter((part) => part !== '')
      .join('\n\n');
  },
});

/** Indexed commits reachable from `to` and not from `from`, newest first; with a path, those that touched it. */
async function commitsBetween(
  from: string,
  to: string,
  path: string | undefined,
  { repo, index, signal }: ToolContext,
): Promise<number[]> {
  const found: number[] = [];
  for await (const commit of log(repo, {
    from: to,
    not: [from],
    timeoutMs: TIMEOUT_MS,
    renameMs: 4_000,
    signal,
  })) {
    const isMeant =
      path === undefined ||
      commit.changes.some((change) => change.path === path || change.path.startsWith(`${path}/`));
    const number = isMeant ? index.commits.find(commit.oid) : -1;
    if (number >= 0) found.push(number);
    if (found.length >= MAX_COMMITS) break;
  }
  return found;
}

function rankByChangedLines(files: FileDiff[]): string[] {
  const counted = files.map((file) => {
    const lines = file.hunks.flatMap((hunk) => hunk.lines);
    const added = lines.filter(({ kind }) => kind === 'add').length;
    const deleted = lines.filter(({ kind }) => kind === 'delete').length;
    return { path: file.new_path ?? file.old_path ?? '', added, deleted, binary: file.binary };
  });
  return counted
    .toSorted((a, b) => b.added + b.deleted - (a.added + a.deleted))
    .map(
      ({ path, added, deleted, binary }) =>
        `- ${inlineCode(path)}: ${binary ? 'binary' : `+${added} −${deleted}`}`,
    );
}
