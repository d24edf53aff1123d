import type { Memory } from '#memory/memory.ts';
import { introduceCommit, plain } from '../../markdown.ts';
import { saySource } from '../../tools/beginnings.ts';
import { blameOf, commitsOf, countByCommit } from '../../tools/history-of-file.ts';
import type { ToolContext } from '../../tools/tool.ts';
import type { Question } from '../question.ts';
import { type Subject, subjectOf } from '../subject.ts';

const MOST_AUTHORS = 6;

/** Who wrote a file or a definition; without one, who wrote the project. */
export async function answerWho({ targets }: Question, deps: ToolContext): Promise<string | null> {
  const { memory } = deps;
  const subject = subjectOf(targets, deps);
  if (!subject) return targets.length === 0 ? everybody(memory) : null;
  const touched = commitsOf(subject.path, deps);
  const [last, first] = [touched[0], touched.at(-1)];
  if (last === undefined || first === undefined) return null;
  if (subject.lines) return await writersOfLines(subject, deps);
  return [
    `${subject.name} was begun by ${introduceCommit(memory, first)} and last changed by ${introduceCommit(memory, last)}.`,
    ...[await saySource(subject.path, deps)].filter((part) => part !== ''),
    `It was touched by ${count(touched.length, 'commit')}:`,
    tally(touched, memory, 'commit'),
  ].join('\n\n');
}

async function writersOfLines(subject: Subject, deps: ToolContext): Promise<string | null> {
  const { memory } = deps;
  const lines = await blameOf(subject.path, subject.lines, deps);
  const commits = countByCommit(lines, memory);
  const [last] = commits.keys();
  if (last === undefined) return null;
  const each = [...commits].flatMap(([commit, number]) => Array<number>(number).fill(commit));
  return [
    `Of the ${count(lines.length, 'line')} of ${subject.name}, as they stand today:`,
    tally(each, memory, 'line'),
    `The newest of them came with ${introduceCommit(memory, last)}.`,
  ].join('\n\n');
}

function everybody(memory: Memory): string | null {
  const { count: all } = memory.commits;
  if (all === 0) return null;
  const commits = Array.from({ length: all }, (_, commit) => commit);
  return [
    `Those who wrote most of the ${count(all, 'commit')}:`,
    tally(commits, memory, 'commit'),
    `The newest is ${introduceCommit(memory, 0)}.`,
  ].join('\n\n');
}

/** Authors with how many of these commits or lines are theirs, most first. */
function tally(commits: number[], { commits: table }: Memory, unit: string): string {
  const authors = new Map<string, number>();
  for (const commit of commits) {
    const author = table.author(commit);
    authors.set(author, (authors.get(author) ?? 0) + 1);
  }
  const ranked = [...authors].sort(([, a], [, b]) => b - a);
  const items = ranked
    .slice(0, MOST_AUTHORS)
    .map(([author, number]) => `- **${plain(author)}**: ${count(number, unit)}`);
  const more = ranked.length - items.length;
  return [...items, ...(more > 0 ? [`- and ${count(more, 'other')}`] : [])].join('\n');
}

function count(number: number, unit: string): string {
  return `${number.toLocaleString('en')} ${unit}${number === 1 ? '' : 's'}`;
}
