import type { RepositoryIndex } from '#memory/repository-index.ts';
import { escapeMarkdown, formatCommit } from '../../markdown.ts';
import { formatOrigin } from '../../tools/code-origin.ts';
import { blameRange, commitsTouching, countByCommit } from '../../tools/file-commits.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { type CodeRange, findCodeRange } from '../code-range.ts';
import type { Question } from '../question.ts';

const MAX_AUTHORS = 6;

/** Who wrote a file or a definition; without one, who wrote the project. */
export async function answerWho({ targets }: Question, deps: ToolContext): Promise<string | null> {
  const { memory } = deps;
  const subject = findCodeRange(targets, deps);
  if (!subject) return targets.length === 0 ? everybody(memory) : null;
  const touched = commitsTouching(subject.path, deps);
  const [last, first] = [touched[0], touched.at(-1)];
  if (last === undefined || first === undefined) return null;
  if (subject.lines) return await writersOfLines(subject, deps);
  return [
    `${subject.name} was begun by ${formatCommit(memory, first)} and last changed by ${formatCommit(memory, last)}.`,
    ...[await formatOrigin(subject.path, deps)].filter((part) => part !== ''),
    `It was touched by ${count(touched.length, 'commit')}:`,
    tally(touched, memory, 'commit'),
  ].join('\n\n');
}

async function writersOfLines(subject: CodeRange, deps: ToolContext): Promise<string | null> {
  const { memory } = deps;
  const lines = await blameRange(subject.path, subject.lines, deps);
  const commits = countByCommit(lines, memory);
  const [last] = commits.keys();
  if (last === undefined) return null;
  const each = [...commits].flatMap(([commit, number]) => Array<number>(number).fill(commit));
  return [
    `Of the ${count(lines.length, 'line')} of ${subject.name}, as they stand today:`,
    tally(each, memory, 'line'),
    `The newest of them came with ${formatCommit(memory, last)}.`,
  ].join('\n\n');
}

function everybody(memory: RepositoryIndex): string | null {
  const { count: all } = memory.commits;
  if (all === 0) return null;
  const commits = Array.from({ length: all }, (_, commit) => commit);
  return [
    `Those who wrote most of the ${count(all, 'commit')}:`,
    tally(commits, memory, 'commit'),
    `The newest is ${formatCommit(memory, 0)}.`,
  ].join('\n\n');
}

/** Authors with how many of these commits or lines are theirs, most first. */
function tally(commits: number[], { commits: table }: RepositoryIndex, unit: string): string {
  const authors = new Map<string, number>();
  for (const commit of commits) {
    const author = table.author(commit);
    authors.set(author, (authors.get(author) ?? 0) + 1);
  }
  const ranked = [...authors].sort(([, a], [, b]) => b - a);
  const items = ranked
    .slice(0, MAX_AUTHORS)
    .map(([author, number]) => `- **${escapeMarkdown(author)}**: ${count(number, unit)}`);
  const more = ranked.length - items.length;
  return [...items, ...(more > 0 ? [`- and ${count(more, 'other')}`] : [])].join('\n');
}

function count(number: number, unit: string): string {
  return `${number.toLocaleString('en')} ${unit}${number === 1 ? '' : 's'}`;
}
