import { z } from 'zod';
import { blame } from '#git/blame.ts';
import type { CodeTable } from '#memory/repository-index.ts';
import { type RankedFile, rankFiles } from '#search/files.ts';
import { parseQuery, type Query } from '#search/query.ts';
import { snippet } from '#search/snippet.ts';
import { citeLines } from '../citations.ts';
import { fencedBlock, formatCommit, inlineCode } from '../markdown.ts';
import { defineTool, limitInput, type ToolContext, textInput } from './tool.ts';

const MAX_SNIPPET_LINES = 8;
/** What it says when there is nothing. */
export const NO_FILES_FOUND = 'No file of the code shares a word with this.';

export const searchCode = defineTool('search_code', {
  input: z.object({
    query: textInput(10_000).describe('What to look for, in words'),
    limit: limitInput(20, 8),
  }),
  async execute({ query: text, limit: most }, context) {
    const { memory, meaning } = context;
    const query = parseQuery(text);
    const files = rankFiles(memory, query, { limit: most, meaning });
    if (files.length === 0) return NO_FILES_FOUND;
    const shown = await Promise.all(files.map((file) => formatFile(file, query, memory.code!, context)));
    return shown.join('\n\n');
  },
});

async function formatFile(
  { file, passages }: RankedFile,
  query: Query,
  table: CodeTable,
  { repo, memory, sources, signal }: ToolContext,
): Promise<string> {
  const passage = passages[0]?.passage ?? table.filePassages(file).first;
  const path = table.filePath(file);
  const { start: from, end } = table.passageLines(passage);
  const to = Math.max(from, Math.min(end, table.fileLines(file)));
  const symbol = table.passageSymbol(passage);
  const blamed = await blame(repo, { commit: memory.revision, path, from, to, signal });
  const commits = blamed.map(({ oid }) => memory.commits.find(oid)).filter((commit) => commit >= 0);
  const last = commits.length > 0 ? `, last changed by ${formatCommit(memory, Math.min(...commits))}` : '';
  const head = `${citeLines(path, from, to, memory.revision)}${symbol ? ` ${inlineCode(symbol)}` : ''}${last}:`;
  const source = (await sources.lines(path))?.slice(from - 1, to).join('\n') ?? '';
  const { text } = snippet(source, query, MAX_SNIPPET_LINES);
  return `${head}\n\n${fencedBlock(table.fileLanguage(file), text.replace(/^\s*\n/, ''))}`;
}
