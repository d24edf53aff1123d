import { answerText, moreItem } from '../answer/answer-text.ts';
import { citeLines } from '../answer/citations.ts';
import { fencedBlock, inlineCode } from '../answer/markdown.ts';
import type { DefinedName } from './find-definitions.ts';
import type { ToolContext } from './tool.ts';

const MAX_PLACES = 8;
const MAX_LINES = 20;

/** Lists the definitions of a name, with the beginning of the first. */
export async function describeDefinition(
  { name, passages }: DefinedName,
  context: ToolContext,
): Promise<string> {
  const { index, sources } = context;
  const table = index.code!;
  const places = passages.flatMap((passage) => {
    const { start, end } = table.passageLines(passage);
    const symbol = table.passageSymbol(passage);
    return table
      .passageFiles(passage)
      .map((file) => ({ path: table.filePath(file), file, start, end, symbol }));
  });
  const first = places[0]!;
  const cite = ({ path, file, start, end }: typeof first) =>
    citeLines(
      { path, from: start, to: Math.min(end, table.fileLines(file)), commit: index.revision },
      index.commits,
    );
  const lines = (await sources.lines(first.path))?.slice(first.start - 1, first.end) ?? [];
  const shown = lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES), '…'] : lines;
  const parts = [
    answerText(context, 'definition.place', { name: inlineCode(first.symbol ?? name), place: cite(first) }),
    fencedBlock(table.fileLanguage(first.file), shown.join('\n')),
  ];
  const others = places.slice(1, MAX_PLACES).map((place) => `- ${cite(place)}`);
  if (others.length > 0) {
    const items = [...others, ...moreItem(context, places.length - 1 - others.length)];
    parts.push(`${answerText(context, 'definition.others')}\n\n${items.join('\n')}`);
  }
  return parts.join('\n\n');
}
