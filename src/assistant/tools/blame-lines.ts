import { z } from 'zod';
import { type BlameLine, blame } from '#git/blame.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { abbreviateHash, citeLines } from '../answer/citations.ts';
import { formatCommit, inlineCode } from '../answer/markdown.ts';
import { resolveOid } from './resolve-revision.ts';
import { defineTool, lineInput, pathInput, revisionInput } from './tool.ts';

const MAX_LINES = 400;
const MAX_RUNS = 60;

export const blameLines = defineTool('blame_lines', {
  input: z.object({ path: pathInput, from: lineInput, to: lineInput, revision: revisionInput.optional() }),
  async execute({ path: name, from, to, revision: at }, context) {
    const { repo, index, signal } = context;
    const oid = await resolveOid(at, context);
    const last = Math.min(Math.max(from, to), from + MAX_LINES - 1);
    const lines = await blame(repo, { commit: oid, path: name, from, to: last, signal });
    if (lines.length === 0) return `${inlineCode(name)} has no such lines at this commit.`;
    const runs = groupRuns(lines);
    const items = runs.slice(0, MAX_RUNS).map(([first, end]) => formatRun(first, end, name, oid, index));
    const more = runs.length - items.length;
    return [...items, ...(more > 0 ? [`- and ${more} more runs of lines`] : [])].join('\n');
  },
});

/** First and last line of each run of lines with the same commit. */
function groupRuns(lines: BlameLine[]): [BlameLine, BlameLine][] {
  const runs: [BlameLine, BlameLine][] = [];
  for (const blamed of lines) {
    const run = runs.at(-1);
    if (run && run[0].oid === blamed.oid && run[1].line + 1 === blamed.line) run[1] = blamed;
    else runs.push([blamed, blamed]);
  }
  return runs;
}

function formatRun(
  first: BlameLine,
  end: BlameLine,
  name: string,
  oid: string,
  index: RepositoryIndex,
): string {
  const commit = index.commits.find(first.oid);
  const by = commit >= 0 ? formatCommit(index, commit) : abbreviateHash(first.oid, index.commits);
  const before = first.originalPath === name ? '' : `, previously in ${inlineCode(first.originalPath)}`;
  const place = citeLines({ path: name, from: first.line, to: end.line, commit: oid }, index.commits);
  return `- ${place} ${by}${before}`;
}
