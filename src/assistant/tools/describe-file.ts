import { z } from 'zod';
import { resolvePrintedPath } from '#investigate/locate/resolve-printed-path.ts';
import type { Definition } from '#memory/chunk/outline.ts';
import { findDefinitionsInText } from '#memory/chunk/parser-processes.ts';
import { answerText, moreItem } from '../answer/answer-text.ts';
import { citeLines } from '../answer/citations.ts';
import { fencedBlock, formatCommit, inlineCode } from '../answer/markdown.ts';
import { commitsTouching } from './file-commits.ts';
import { defineTool, pathInput, type ToolContext } from './tool.ts';

const MAX_SYMBOLS = 40;
const MAX_FIRST_LINES = 12;

export const describeFile = defineTool('describe_file', {
  input: z.object({ path: pathInput }),
  async execute({ path: printed }, context) {
    const { index } = context;
    const table = index.code;
    const exact = table?.fileNumber(printed) ?? -1;
    const file = table && exact < 0 ? resolvePrintedPath(table, printed) : exact;
    if (!table || file < 0) return answerText(context, 'file.unknown', { path: inlineCode(printed) });
    const name = table.filePath(file);
    const lines = table.fileLines(file);
    const commits = commitsTouching(name, context);
    const [last, first] = [commits[0], commits.at(-1)];
    const place = { path: name, from: 1, to: Math.max(1, lines), commit: index.revision };
    const summary = answerText(context, 'file.summary', {
      place: citeLines(place, index.commits),
      lines: answerText(context, 'lines', { count: lines }),
      language: table.fileLanguage(file),
    });
    const history =
      last === undefined || first === undefined
        ? ''
        : answerText(context, 'file.history', {
            first: formatCommit(index, first),
            last: formatCommit(index, last),
            commits: answerText(context, 'commits', { count: commits.length }),
          });
    const head = `${summary} ${history}`.trim();
    const preview = await firstLines(name, context);
    const definitions = await formatOutline(file, context);
    return [
      head,
      preview && `${answerText(context, 'file.begins')}\n\n${fencedBlock(table.fileLanguage(file), preview)}`,
      definitions.length > 0 ? `${answerText(context, 'file.defines')}\n\n${definitions.join('\n')}` : '',
    ]
      .filter((part) => part !== '')
      .join('\n\n');
  },
});

async function firstLines(name: string, { sources }: ToolContext): Promise<string> {
  const lines = (await sources.lines(name)) ?? [];
  return lines.slice(0, MAX_FIRST_LINES).join('\n').trimEnd();
}

/** Definitions in the order of their lines, members below their container. */
async function formatOutline(file: number, context: ToolContext): Promise<string[]> {
  const { index, sources, signal } = context;
  const table = index.code!;
  const name = table.filePath(file);
  const language = table.fileLanguage(file);
  const text = ((await sources.lines(name)) ?? []).join('\n');
  const definitions = await findDefinitionsInText(language, text, { signal });
  const places = definitions.flatMap((definition) => flattenOutline(definition, 0));
  const last = table.fileLines(file);
  const items = places.map(({ depth, symbol, from, to }) => {
    const lines = { path: name, from, to: Math.min(to, last), commit: index.revision };
    const params = { symbol: inlineCode(symbol), place: citeLines(lines, index.commits) };
    return `${'  '.repeat(depth)}- ${answerText(context, 'symbol_in_place', params)}`;
  });
  return [...items.slice(0, MAX_SYMBOLS), ...moreItem(context, items.length - MAX_SYMBOLS)];
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
