/** Something that the build files of a repository can do. Lines count from 1. */
export interface BuildTask {
  /** Name in its file: a target, script, session or step. */
  name: string;
  /** Command to type. */
  command: string;
  path: string;
  from: number;
  to: number;
  /** The lines that define it. */
  lines: string[];
}

/** Rows of a build file and what surrounds it. */
export interface BuildFile {
  path: string;
  rows: readonly string[];
  /** True for a path of the repository. */
  has(path: string): boolean;
}

/** Task of the rows `from` to `to`, counted from 0, without empty rows at the end. */
export function toTask(
  { path, rows }: BuildFile,
  { name, command, from, to }: Pick<BuildTask, 'name' | 'command' | 'from' | 'to'>,
): BuildTask {
  let last = Math.min(to, rows.length - 1);
  while (last > from && rows[last]!.trim() === '') last--;
  return { name, command, path, from: from + 1, to: last + 1, lines: rows.slice(from, last + 1) };
}

/** Tasks that begin at the rows of a pattern, whose first group is their name, and end before the next one. */
export function tasksByHeader(
  file: BuildFile,
  header: RegExp,
  toCommand: (name: string) => string | null,
): BuildTask[] {
  const starts = file.rows.flatMap((text, row) => {
    const name = header.exec(text)?.[1];
    return name === undefined ? [] : [{ name, row, from: commentsAbove(file.rows, row) }];
  });
  return starts.flatMap(({ name, from }, i) => {
    const command = toCommand(name);
    const to = (starts[i + 1]?.from ?? file.rows.length) - 1;
    return command === null ? [] : [toTask(file, { name, command, from, to })];
  });
}

/** First of the comments and decorators right above a row. */
function commentsAbove(rows: readonly string[], row: number): number {
  let first = row;
  while (first > 0 && /^\s*(?:#|\/\/|@|desc\b|\.PHONY)/.test(rows[first - 1]!)) first--;
  return first;
}
