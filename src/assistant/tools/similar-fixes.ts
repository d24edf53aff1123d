import { z } from 'zod';
import { isFixCommit } from '#evolution/fixes.ts';
import { judgeFixes } from '#evolution/held.ts';
import { parseQuery } from '#search/query.ts';
import { rankCommits } from '#search/rank.ts';
import { code, introduceCommit, sayHeld } from '../markdown.ts';
import { commitsOf } from './history-of-file.ts';
import { defineTool, limit, path, words } from './tool.ts';

const CONSIDERED = 300;
const SHOWN_PATHS = 3;

export const similarFixes = defineTool('similar_fixes', {
  input: z.object({
    text: words(20_000).describe('The fault, in words or as an error'),
    path: path.optional(),
    limit: limit(20, 4),
  }),
  async execute({ text, path: file, limit: most }, context) {
    const { repo, memory, now, signal } = context;
    const alike = rankCommits(memory, parseQuery(text), { limit: CONSIDERED }).map(({ commit }) => commit);
    const own = new Set(file === undefined ? [] : commitsOf(file, context));
    // In one file, what reads like the text comes before what only lies there.
    const candidates = own.size > 0 ? new Set([...alike.filter((commit) => own.has(commit)), ...own]) : alike;
    const fixes = [...candidates].filter((commit) => isFixCommit(memory, commit)).slice(0, most);
    if (fixes.length === 0) {
      return file
        ? `No commit that touched ${code(file)} reads like a fix.`
        : 'No earlier fix reads like it.';
    }
    const held = await judgeFixes({ repo, memory, commits: fixes, now, signal });
    const items = fixes.map((commit, index) => {
      const paths = Array.from(memory.commits.paths(commit), (number) => code(memory.commits.path(number)));
      const more = paths.length > SHOWN_PATHS ? ` and ${paths.length - SHOWN_PATHS} more` : '';
      return `- ${introduceCommit(memory, commit)} in ${paths.slice(0, SHOWN_PATHS).join(', ')}${more}. ${sayHeld(held[index]!)}`;
    });
    const head = file ? `Fixes in ${code(file)}, the likest first:` : 'Earlier fixes that read most like it:';
    return `${head}\n\n${items.join('\n')}`;
  },
});
