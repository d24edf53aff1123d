import { answerText } from '../../answer/answer-text.ts';
import { citeLines } from '../../answer/citations.ts';
import { inlineCode } from '../../answer/markdown.ts';
import type { ToolContext } from '../../tools/tool.ts';
import type { Mention } from './entities.ts';

/** A file, or lines of one, that a question is about. */
export interface CodeRange {
  /** Markdown that names it. */
  name: string;
  path: string;
  /** Null for the whole file. */
  lines: [number, number] | null;
  /** Last part of the definition's name, as it is written in the lines. */
  symbol?: string;
}

/** Finds the first file or definition among the mentions; null for none. */
export function findCodeRange(mentions: Mention[], context: ToolContext): CodeRange | null {
  const { index } = context;
  for (const { entity: target } of mentions) {
    if (target.kind === 'deleted_path') return deletedRange(target.path, context);
    if (target.kind === 'file') {
      const { path, lines } = target;
      const gone = index.code !== null && index.code.fileNumber(path) < 0;
      if (gone) return deletedRange(path, context);
      const name = lines
        ? citeLines({ path, from: lines[0], to: lines[1], commit: index.revision }, index.commits)
        : inlineCode(path);
      return { name, path, lines };
    }
    if (target.kind === 'symbol' && index.code) {
      return rangeOfDefinition(target.passages[0]!, target.name, context);
    }
  }
  return null;
}

function deletedRange(path: string, context: ToolContext): CodeRange {
  return { name: answerText(context, 'no_longer_in_code', { path: inlineCode(path) }), path, lines: null };
}

function rangeOfDefinition(passage: number, name: string, context: ToolContext): CodeRange {
  const { code: table, revision, commits } = context.index;
  const path = table!.filePath(table!.passageFiles(passage)[0]!);
  const { start, end } = table!.passageLines(passage);
  const params = {
    symbol: inlineCode(table!.passageSymbol(passage) ?? name),
    place: citeLines({ path, from: start, to: end, commit: revision }, commits),
  };
  return {
    name: answerText(context, 'symbol_in_place', params),
    path,
    lines: [start, end],
    symbol: name.split('.').at(-1)!,
  };
}
