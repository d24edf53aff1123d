import type { RepositoryIndex } from '#memory/repository-index.ts';
import { citeLines } from '../citations.ts';
import { inlineCode } from '../markdown.ts';
import type { ToolContext } from '../tools/tool.ts';
import type { Target } from './targets.ts';

/** A file, or the lines of one, that a question is about. */
export interface CodeRange {
  /** Markdown that names it. */
  name: string;
  path: string;
  /** Null: the whole file. */
  lines: [number, number] | null;
  /** The last part of the name of the definition that is meant, as its lines spell it. */
  symbol?: string;
}

/** The file or the definition that is meant first; null when the targets name none. */
export function findCodeRange(targets: Target[], { memory }: ToolContext): CodeRange | null {
  for (const target of targets) {
    if (target.kind === 'file') {
      const { path, lines } = target;
      const gone = memory.code !== null && memory.code.fileNumber(path) < 0;
      if (gone) return { name: `${inlineCode(path)} (no longer in the code)`, path, lines: null };
      const name = lines ? citeLines(path, lines[0], lines[1], memory.revision) : inlineCode(path);
      return { name, path, lines };
    }
    if (target.kind === 'symbol' && memory.code)
      return rangeOfDefinition(target.passages[0]!, target.name, memory);
  }
  return null;
}

function rangeOfDefinition(passage: number, name: string, { code: table, revision }: RepositoryIndex): CodeRange {
  const path = table!.filePath(table!.passageFiles(passage)[0]!);
  const { start, end } = table!.passageLines(passage);
  return {
    name: `${inlineCode(table!.passageSymbol(passage) ?? name)} in ${citeLines(path, start, end, revision)}`,
    path,
    lines: [start, end],
    symbol: name.split('.').at(-1)!,
  };
}
