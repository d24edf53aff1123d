import { z } from 'zod';
import { assessFixes } from '#evolution/fix-outcomes.ts';
import { isFixCommit } from '#evolution/fixes.ts';
import { rankFiles } from '#search/code/rank-files.ts';
import { parseQuery } from '#search/lexical/parse-query.ts';
import { rankCommits } from '#search/lexical/rank-documents.ts';
import { answerText } from '../answer/answer-text.ts';
import { formatCommit, formatFixOutcome, inlineCode } from '../answer/markdown.ts';
import { commitsTouching } from './file-commits.ts';
import { defineTool, limitInput, pathInput, type ToolContext, textInput } from './tool.ts';

const MAX_CANDIDATES = 300;
const MAX_PATHS = 3;
/** Files most similar to the text; touching the first of them adds `FILE_WEIGHT` to a message similarity of at most 1. */
const MAX_FILES = 10;
const FILE_WEIGHT = 0.3;

export const similarFixes = defineTool('similar_fixes', {
  input: z.object({
    text: textInput(20_000).describe('Description of the bug, or the error'),
    path: pathInput.optional(),
    limit: limitInput(20, 4),
  }),
  async execute({ text, path: file, limit: most }, context) {
    const { repo, index, now, signal } = context;
    const similar = rankSimilarCommits(text, context);
    const own = new Set(file === undefined ? [] : commitsTouching(file, context));
    // In one file, commits similar to the text come before the others.
    const candidates =
      own.size > 0 ? new Set([...similar.filter((commit) => own.has(commit)), ...own]) : similar;
    const fixes = [...candidates].filter((commit) => isFixCommit(index, commit)).slice(0, most);
    if (fixes.length === 0) {
      return file
        ? answerText(context, 'similar_fixes.none_in_file', { path: inlineCode(file) })
        : answerText(context, 'similar_fixes.none');
    }
    const outcomes = await assessFixes({ repo, index, commits: fixes, now, signal });
    const items = fixes.map((commit, i) => {
      const paths = Array.from(index.commits.paths(commit), (number) =>
        inlineCode(index.commits.path(number)),
      );
      const more = paths.length - MAX_PATHS;
      const rest = more > 0 ? ` ${answerText(context, 'and_more', { count: more })}` : '';
      const params = {
        commit: formatCommit(index, commit),
        paths: `${paths.slice(0, MAX_PATHS).join(', ')}${rest}`,
        outcome: formatFixOutcome(outcomes[i]!, context),
      };
      return `- ${answerText(context, 'similar_fixes.item', params)}`;
    });
    const head = file
      ? answerText(context, 'similar_fixes.in_file', { path: inlineCode(file) })
      : answerText(context, 'similar_fixes.title');
    return `${head}\n\n${items.join('\n')}`;
  },
});

/** Ranks commits by the similarity of their messages to the text, and of the files that they touched. */
function rankSimilarCommits(text: string, { index, queryEmbedding }: ToolContext): number[] {
  const query = parseQuery(text);
  const ranked = rankCommits(index, query, { limit: MAX_CANDIDATES });
  const files = rankFiles(index, query, { limit: MAX_FILES, embedding: queryEmbedding });
  const [best, first] = [ranked[0]?.score ?? 1, files[0]?.score || 1];
  const similarityOf = new Map(files.map(({ file, score }) => [index.code!.filePath(file), score / first]));
  const { commits } = index;
  const fileSimilarity = (commit: number) =>
    Math.max(0, ...Array.from(commits.paths(commit), (path) => similarityOf.get(commits.path(path)) ?? 0));
  return ranked
    .map(({ commit, score }) => ({ commit, score: score / best + FILE_WEIGHT * fileSimilarity(commit) }))
    .sort((a, b) => b.score - a.score)
    .map(({ commit }) => commit);
}
