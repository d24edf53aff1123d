import { type BlameLine, blame } from '#git/blame.ts';
import { findFormerNames } from '#investigate/former-names.ts';
import type { SourceText } from '#investigate/source-text.ts';
import type { Memory } from '#memory/memory.ts';
import { citeLines } from '../citations.ts';
import { code } from '../markdown.ts';
import type { Target } from './targets.ts';

/** What answers are made from. `now` is in seconds since 1970. */
export interface AnswerDeps {
  repo: string;
  memory: Memory;
  sources: SourceText;
  now: number;
  signal?: AbortSignal;
}

/** A file, or the lines of one, that a question is about. */
export interface Subject {
  /** Markdown that names it. */
  name: string;
  path: string;
  /** Null: the whole file. */
  lines: [number, number] | null;
}

/** Blame of more lines than these says no more and takes long. */
const MOST_LINES = 400;

/** The file or the definition that is meant first; null when the targets name none. */
export function subjectOf(targets: Target[], { memory }: AnswerDeps): Subject | null {
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
  };
}

/** Commits that touched the file, newest first, also under its former names. */
export function commitsOf(path: string, { memory: { commits } }: AnswerDeps): number[] {
  const names = findFormerNames([path], commits).all(path);
  const found = names.flatMap((name) => {
    const number = commits.pathNumber(name);
    return number < 0 ? [] : [...commits.touching(number)];
  });
  return [...new Set(found)].sort((a, b) => a - b);
}

/** Who wrote the lines of a subject last; empty for a whole file. */
export async function blameOf(subject: Subject, deps: AnswerDeps): Promise<BlameLine[]> {
  if (!subject.lines) return [];
  const [from, to] = subject.lines;
  return await blame(deps.repo, {
    commit: deps.memory.revision,
    path: subject.path,
    from,
    to: Math.min(to, from + MOST_LINES),
    signal: deps.signal,
  });
}

/** Remembered commits of blamed lines with how many lines each wrote, newest first. */
export function countByCommit(lines: BlameLine[], { commits }: Memory): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { oid } of lines) {
    const commit = commits.find(oid);
    if (commit >= 0) counts.set(commit, (counts.get(commit) ?? 0) + 1);
  }
  return new Map([...counts].sort(([a], [b]) => a - b));
}
