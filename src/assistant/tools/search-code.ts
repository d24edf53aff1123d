import { z } from 'zod';
import { blame } from '#git/blame.ts';
import type { CodeTable } from '#memory/memory.ts';
import { type RankedFile, rankFiles } from '#search/files.ts';
import { parseQuery, type Query } from '#search/query.ts';
import { snippet } from '#search/snippet.ts';
import { citeLines } from '../citations.ts';
import { code, fenced, introduceCommit } from '../markdown.ts';
import { defineTool, limit, type ToolContext, words } from './tool.ts';

const SNIPPET_LINES = 8;
/** What it says when there is nothing. */
export const NO_FILE = 'No file of the code shares a word with this.';

export const searchCode = defineTool('search_code', {
  input: z.object({ query: words(10_000).describe('What to look for, in words'), limit: limit(20, 8) }),
  async execute({ query: text, limit: most }, context) {
    const { memory, meaning } = context;
    const query = parseQuery(text);
    const files = rankFiles(memory, query, { limit: most, meaning });
    if (files.length === 0) return NO_FILE;
    const shown = await Promise.all(files.map((file) => showFile(file, query, memory.code!, context)));
    return shown.join('\n\n');
  },
});

async function showFile(
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
  const last = commits.length > 0 ? `, last changed by ${introduceCommit(memory, Math.min(...commits))}` : '';
  const head = `${citeLines(path, from, to, memory.revision)}${symbol ? ` ${code(symbol)}` : ''}${last}:`;
  const source = (await sources.lines(path))?.slice(from - 1, to).join('\n') ?? '';
  const { text } = snippet(source, query, SNIPPET_LINES);
  return `${head}\n\n${fenced(table.fileLanguage(file), text.replace(/^\s*\n/, ''))}`;
}
