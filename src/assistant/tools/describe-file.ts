import { z } from 'zod';
import { findFile } from '#investigate/locate/place-frames.ts';
import type { Definition } from '#memory/chunk/outline.ts';
import { findDefinitions } from '#memory/chunk/parser-processes.ts';
import { citeLines } from '../citations.ts';
import { fencedBlock, formatCommit, inlineCode } from '../markdown.ts';
import { commitsTouching } from './file-commits.ts';
import { defineTool, pathInput, type ToolContext } from './tool.ts';

const MAX_SYMBOLS = 40;
const MAX_FIRST_LINES = 12;

export const describeFile = defineTool('describe_file', {
  input: z.object({ path: pathInput }),
  async execute({ path: given }, context) {
    const { memory } = context;
    const table = memory.code;
    const file = table ? findFile(table, given) : -1;
    if (!table || file < 0) return `The code has no file ${inlineCode(given)}.`;
    const name = table.filePath(file);
    const lines = table.fileLines(file);
    const commits = commitsTouching(name, context);
    const [last, first] = [commits[0], commits.at(-1)];
    const story =
      last === undefined || first === undefined
        ? ''
        : ` It was begun by ${formatCommit(memory, first)} and changed in ${commits.length} commit${commits.length === 1 ? '' : 's'}, last by ${formatCommit(memory, last)}.`;
    const head = `${citeLines(name, 1, Math.max(1, lines), memory.revision)} has ${lines} lines of ${table.fileLanguage(file)}.${story}`;
    const beginning = await firstLines(name, context);
    const definitions = await formatOutline(file, context);
    return [
      head,
      beginning && `It begins:\n\n${fencedBlock(table.fileLanguage(file), beginning)}`,
      definitions.length > 0 ? `It defines:\n\n${definitions.join('\n')}` : '',
    ]
      .filter((part) => part !== '')
      .join('\n\n');
  },
});

async function firstLines(name: string, { sources }: ToolContext): Promise<string> {
  const lines = (await sources.lines(name)) ?? [];
  return lines.slice(0, MAX_FIRST_LINES).join('\n').trimEnd();
}

/** Definitions in the order of their lines, members below what holds them. */
async function formatOutline(file: number, { memory, sources, signal }: ToolContext): Promise<string[]> {
  const table = memory.code!;
  const name = table.filePath(file);
  const language = table.fileLanguage(file);
  const text = ((await sources.lines(name)) ?? []).join('\n');
  const definitions = await findDefinitions(language, text, { signal });
  const places = definitions.flatMap((definition) => flattenOutline(definition, 0));
  const last = table.fileLines(file);
  const items = places.map(({ depth, symbol, from, to }) => {
    return `${'  '.repeat(depth)}- ${inlineCode(symbol)} in ${citeLines(name, from, Math.min(to, last), memory.revision)}`;
  });
  const more = items.length - MAX_SYMBOLS;
  return more > 0 ? [...items.slice(0, MAX_SYMBOLS), `- and ${more} more`] : items;
}

interface OutlineEntry {
  depth: number;
  symbol: string;
  from: number;
  to: number;
}

function flattenOutline(
  { names, start, end, children, container }: Definition,
  depth: number,
): OutlineEntry[] {
  const own = { depth, symbol: names.join(', '), from: start + 1, to: end + 1 };
  return [own, ...(container ? children.flatMap((child) => flattenOutline(child, depth + 1)) : [])];
}
