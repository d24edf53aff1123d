import { citeLines } from '../citations.ts';
import { fencedBlock, inlineCode } from '../markdown.ts';
import type { DefinedName } from './find-definitions.ts';
import type { ToolContext } from './tool.ts';

const MAX_PLACES = 8;
const MAX_LINES = 20;

/** Where a name is defined, with the beginning of the first definition. */
export async function describeDefinition(
  { name, passages }: DefinedName,
  context: ToolContext,
): Promise<string> {
  const { memory, sources } = context;
  const table = memory.code!;
  const places = passages.flatMap((passage) => {
    const { start, end } = table.passageLines(passage);
    const symbol = table.passageSymbol(passage);
    return table
      .passageFiles(passage)
      .map((file) => ({ path: table.filePath(file), file, start, end, symbol }));
  });
  const first = places[0]!;
  const cite = ({ path, file, start, end }: typeof first) =>
    citeLines(path, start, Math.min(end, table.fileLines(file)), memory.revision);
  const lines = (await sources.lines(first.path))?.slice(first.start - 1, first.end) ?? [];
  const shown = lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES), '…'] : lines;
  const parts = [
    `${inlineCode(first.symbol ?? name)} is defined in ${cite(first)}.`,
    fencedBlock(table.fileLanguage(first.file), shown.join('\n')),
  ];
  const others = places.slice(1, MAX_PLACES).map((place) => `- ${cite(place)}`);
  const more = places.length - 1 - others.length;
  if (others.length > 0) {
    parts.push(`Also defined in:\n\n${others.join('\n')}${more > 0 ? `\n- and ${more} more` : ''}`);
  }
  return parts.join('\n\n');
}
