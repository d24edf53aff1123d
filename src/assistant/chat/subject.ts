import type { Memory } from '#memory/memory.ts';
import { citeLines } from '../citations.ts';
import { code } from '../markdown.ts';
import type { ToolContext } from '../tools/tool.ts';
import type { Target } from './targets.ts';

/** A file, or the lines of one, that a question is about. */
export interface Subject {
  /** Markdown that names it. */
  name: string;
  path: string;
  /** Null: the whole file. */
  lines: [number, number] | null;
  /** The last part of the name of the definition that is meant, as its lines spell it. */
  symbol?: string;
}

/** The file or the definition that is meant first; null when the targets name none. */
export function subjectOf(targets: Target[], { memory }: ToolContext): Subject | null {
  for (const target of targets) {
    if (target.kind === 'file') {
      const { path, lines } = target;
      const gone = memory.code !== null && memory.code.fileNumber(path) < 0;
      if (gone) return { name: `${code(path)} (no longer in the code)`, path, lines: null };
      const name = lines ? citeLines(path, lines[0], lines[1], memory.revision) : code(path);
      return { name, path, lines };
    }
    if (target.kind === 'symbol' && memory.code) return definition(target.passages[0]!, target.name, memory);
  }
  return null;
}

function definition(passage: number, name: string, { code: table, revision }: Memory): Subject {
  const path = table!.filePath(table!.passageFiles(passage)[0]!);
  const { start, end } = table!.passageLines(passage);
  return {
    name: `${code(table!.passageSymbol(passage) ?? name)} in ${citeLines(path, start, end, revision)}`,
    path,
    lines: [start, end],
    symbol: name.split('.').at(-1)!,
  };
}
