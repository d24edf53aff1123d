import { isoTime } from '#contract/iso-time.ts';
import { answerText, formatDate } from '../../answer/answer-text.ts';
import { formatCommit, inlineCode } from '../../answer/markdown.ts';
import { findLineHistory, formatOrigin } from '../../tools/code-origin.ts';
import { commitsTouching } from '../../tools/file-commits.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { type CodeRange, findCodeRange } from '../understand/code-range.ts';
import type { Reading } from '../understand/reading.ts';
import type { IntentAnswer } from './intent.ts';

const MAX_COMMITS = 5;

/** Dates the first and the last change of a file or a definition, and lists changes in between. */
export async function answerIntroduced(
  { mentions }: Reading,
  context: ToolContext,
): Promise<IntentAnswer | null> {
  const range = findCodeRange(mentions, context);
  const text = range && (await dateChanges(range, context));
  if (!range || !text) return null;
  return { text, evidence: 0.9, understood: { key: 'introduced', params: { name: range.name } } };
}

async function dateChanges(range: CodeRange, context: ToolContext): Promise<string | null> {
  const { commits, origin } = await findHistory(range, context);
  const [last, first] = [commits[0], commits.at(-1)];
  if (last === undefined || first === undefined) return null;
  const parts = [datedCommit('added', first, { name: range.name }, context)];
  if (origin !== '') parts.push(origin);
  if (last !== first) parts.push(datedCommit('changed', last, {}, context));
  const between = commits.slice(1, -1);
  if (between.length > 0) {
    const items = between.slice(0, MAX_COMMITS).map((commit) => `- ${formatCommit(context.index, commit)}`);
    const head =
      between.length > items.length
        ? answerText(context, 'when.between_newest', { shown: items.length, count: between.length })
        : answerText(context, 'when.between');
    parts.push(`${head}\n\n${items.join('\n')}`);
  }
  return parts.join('\n\n');
}

function datedCommit(
  verb: 'added' | 'changed',
  commit: number,
  params: { name?: string },
  context: ToolContext,
): string {
  const { index } = context;
  const time = index.commits.time(commit);
  const date = formatDate(time, context);
  const dateParams = { ...params, commit: formatCommit(index, commit) };
  return date === null
    ? answerText(context, `when.${verb}_undated`, dateParams)
    : answerText(context, `when.${verb}`, { ...dateParams, date, age: isoTime(time) });
}

/** Commits that changed the range, newest first, and a sentence on the origin of its code. */
async function findHistory({ path, lines, symbol }: CodeRange, context: ToolContext) {
  if (!lines) {
    return { commits: commitsTouching(path, context), origin: await formatOrigin(path, context) };
  }
  const { commits, nameIntroduced } = await findLineHistory({ path, lines, name: symbol }, context);
  if (nameIntroduced === null) return { commits, origin: '' };
  const commit = formatCommit(context.index, nameIntroduced);
  const origin = answerText(context, 'origin.name', { name: inlineCode(symbol ?? ''), commit });
  return { commits, origin };
}
