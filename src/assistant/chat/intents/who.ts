import { answerText, moreItem } from '../../answer/answer-text.ts';
import { escapeMarkdown, formatCommit } from '../../answer/markdown.ts';
import { formatOrigin } from '../../tools/code-origin.ts';
import { blameRange, commitsTouching, countByCommit } from '../../tools/file-commits.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { type CodeRange, findCodeRange } from '../understand/code-range.ts';
import type { Reading } from '../understand/reading.ts';
import type { IntentAnswer } from './intent.ts';

const MAX_AUTHORS = 6;

/** Lists the authors of a file or a definition; without one, those of the project. */
export async function answerWho({ mentions }: Reading, context: ToolContext): Promise<IntentAnswer | null> {
  const range = findCodeRange(mentions, context);
  if (!range && mentions.length > 0) return null;
  const text = range ? await authorsOf(range, context) : projectAuthors(context);
  if (text === null) return null;
  const name = range?.name ?? answerText(context, 'changes.project');
  return { text, evidence: 0.9, understood: { key: 'who', params: { name } } };
}

async function authorsOf(range: CodeRange, context: ToolContext): Promise<string | null> {
  const { index } = context;
  const touched = commitsTouching(range.path, context);
  const [last, first] = [touched[0], touched.at(-1)];
  if (last === undefined || first === undefined) return null;
  if (range.lines) return await lineAuthors(range, context);
  const params = { name: range.name, first: formatCommit(index, first), last: formatCommit(index, last) };
  return [
    answerText(context, 'who.file', params),
    await formatOrigin(range.path, context),
    answerText(context, 'who.touched', { count: touched.length }),
    authorList(touched, 'commits', context),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

async function lineAuthors(range: CodeRange, context: ToolContext): Promise<string | null> {
  const { index } = context;
  const lines = await blameRange(range.path, range.lines, context);
  const counts = countByCommit(lines, index);
  const [last] = counts.keys();
  if (last === undefined) return null;
  const commitOfEachLine = [...counts].flatMap(([commit, number]) => Array<number>(number).fill(commit));
  return [
    answerText(context, 'who.lines', { name: range.name, count: lines.length }),
    authorList(commitOfEachLine, 'lines', context),
    answerText(context, 'who.newest_line', { commit: formatCommit(index, last) }),
  ].join('\n\n');
}

function projectAuthors(context: ToolContext): string | null {
  const { index } = context;
  const { count } = index.commits;
  if (count === 0) return null;
  const commits = Array.from({ length: count }, (_, commit) => commit);
  return [
    answerText(context, 'who.project', { count }),
    authorList(commits, 'commits', context),
    answerText(context, 'who.newest_commit', { commit: formatCommit(index, 0) }),
  ].join('\n\n');
}

/** Authors with the number of these commits or lines that are theirs, most first. */
function authorList(commits: number[], unit: 'commits' | 'lines', context: ToolContext): string {
  const counts = new Map<string, number>();
  for (const commit of commits) {
    const author = context.index.commits.author(commit);
    counts.set(author, (counts.get(author) ?? 0) + 1);
  }
  const ranked = [...counts].sort(([, a], [, b]) => b - a);
  const items = ranked
    .slice(0, MAX_AUTHORS)
    .map(([author, count]) => `- **${escapeMarkdown(author)}**: ${answerText(context, unit, { count })}`);
  return [...items, ...moreItem(context, ranked.length - items.length)].join('\n');
}
