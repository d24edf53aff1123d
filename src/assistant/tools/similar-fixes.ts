import { z } from 'zod';
import { isFixCommit } from '#evolution/fixes.ts';
import { judgeFixes } from '#evolution/held.ts';
import { rankFiles } from '#search/files.ts';
import { parseQuery } from '#search/query.ts';
import { rankCommits } from '#search/rank.ts';
import { formatCommit, formatFixOutcome, inlineCode } from '../markdown.ts';
import { commitsTouching } from './file-commits.ts';
import { defineTool, limitInput, pathInput, type ToolContext, textInput } from './tool.ts';

const MAX_CANDIDATES = 300;
const MAX_PATHS = 3;
/** Files that the text reads like, and what touching the first of them adds to the likeness of a message, at most 1. */
const MAX_FILES = 10;
const FILE_WEIGHT = 0.3;

export const similarFixes = defineTool('similar_fixes', {
  input: z.object({
    text: textInput(20_000).describe('The fault, in words or as an error'),
    path: pathInput.optional(),
    limit: limitInput(20, 4),
  }),
  async execute({ text, path: file, limit: most }, context) {
    const { repo, memory, now, signal } = context;
    const alike = rankSimilarCommits(text, context);
    const own = new Set(file === undefined ? [] : commitsTouching(file, context));
    // In one file, what reads like the text comes before what only lies there.
    const candidates = own.size > 0 ? new Set([...alike.filter((commit) => own.has(commit)), ...own]) : alike;
    const fixes = [...candidates].filter((commit) => isFixCommit(memory, commit)).slice(0, most);
    if (fixes.length === 0) {
      return file
        ? `No commit that touched ${inlineCode(file)} reads like a fix.`
        : 'No earlier fix reads like it.';
    }
    const held = await judgeFixes({ repo, memory, commits: fixes, now, signal });
    const items = fixes.map((commit, index) => {
      const paths = Array.from(memory.commits.paths(commit), (number) =>
        inlineCode(memory.commits.path(number)),
      );
      const more = paths.length > MAX_PATHS ? ` and ${paths.length - MAX_PATHS} more` : '';
      return `- ${formatCommit(memory, commit)} in ${paths.slice(0, MAX_PATHS).join(', ')}${more}. ${formatFixOutcome(held[index]!)}`;
    });
    const head = file
      ? `Fixes in ${inlineCode(file)}, the likest first:`
      : 'Earlier fixes that read most like it:';
    return `${head}\n\n${items.join('\n')}`;
  },
});

/** Commits whose messages read like the text, those before others that touched the code that it reads like. */
function rankSimilarCommits(text: string, { memory, meaning }: ToolContext): number[] {
  const query = parseQuery(text);
  const ranked = rankCommits(memory, query, { limit: MAX_CANDIDATES });
  const files = rankFiles(memory, query, { limit: MAX_FILES, meaning });
  const [best, first] = [ranked[0]?.score ?? 1, files[0]?.score || 1];
  const near = new Map(files.map(({ file, score }) => [memory.code!.filePath(file), score / first]));
  const { commits } = memory;
  const nearness = (commit: number) =>
    Math.max(0, ...Array.from(commits.paths(commit), (path) => near.get(commits.path(path)) ?? 0));
  return ranked
    .map(({ commit, score }) => ({ commit, score: score / best + FILE_WEIGHT * nearness(commit) }))
    .sort((a, b) => b.score - a.score)
    .map(({ commit }) => commit);
}
