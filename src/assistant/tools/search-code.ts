import { z } from 'zod';
import { rankFiles } from '#search/code/rank-files.ts';
import { extractSnippet } from '#search/code/snippet.ts';
import { parseQuery, type Query } from '#search/lexical/parse-query.ts';
import { answerText } from '../answer/answer-text.ts';
import { citeLines } from '../answer/citations.ts';
import { fencedBlock, formatCommit, inlineCode } from '../answer/markdown.ts';
import { newestCommitOf } from './file-commits.ts';
import { defineTool, limitInput, type ToolContext, textInput } from './tool.ts';

const MAX_SNIPPET_LINES = 8;

export const searchCode = defineTool('search_code', {
  input: z.object({
    query: textInput(10_000).describe('What to look for, in words'),
    limit: limitInput(20, 8),
  }),
  async execute({ query, limit }, context) {
    const files = await listMatchingFiles(query, limit, context);
    return files.length === 0 ? 'No file of the code matches.' : files.join('\n\n');
  },
});

/** Best files with the best passage of each, every file as markdown. */
async function listMatchingFiles(text: string, limit: number, context: ToolContext): Promise<string[]> {
  const { index, queryEmbedding } = context;
  const query = parseQuery(text);
  const files = rankFiles(index, query, { limit, embedding: queryEmbedding });
  return await Promise.all(
    files.map(({ file, passages }) => {
      const passage = passages[0]?.passage ?? index.code!.filePassages(file).first;
      return formatPassage({ file, passage }, query, context);
    }),
  );
}

/** The place of a passage, or of the lines around it, its last change, and its lines that match a query, as markdown. */
export async function formatPassage(
  { file, passage, lines }: { file: number; passage: number; lines?: { from: number; to: number } },
  query: Query,
  context: ToolContext,
): Promise<string> {
  const { index, sources } = context;
  const table = index.code!;
  const path = table.filePath(file);
  const { start, end } = table.passageLines(passage);
  const from = lines?.from ?? start;
  const to = Math.max(from, Math.min(lines?.to ?? end, table.fileLines(file)));
  const symbol = table.passageSymbol(passage);
  const newest = await newestCommitOf(path, [from, to], context);
  const place = citeLines({ path, from, to, commit: index.revision }, index.commits);
  const last =
    newest === null
      ? ''
      : answerText(context, 'search.last_changed', { commit: formatCommit(index, newest) });
  const head = `${place}${symbol ? ` ${inlineCode(symbol)}` : ''}${last && `, ${last}`}:`;
  const source = (await sources.lines(path))?.slice(from - 1, to).join('\n') ?? '';
  const { text } = extractSnippet(source, query, MAX_SNIPPET_LINES);
  return `${head}\n\n${fencedBlock(table.fileLanguage(file), text.replace(/^\s*\n/, ''))}`;
}
