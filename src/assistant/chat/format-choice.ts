import { answerText } from '../answer/answer-text.ts';
import { inlineCode } from '../answer/markdown.ts';
import type { ToolContext } from '../tools/tool.ts';
import type { Candidate, Choice } from './choose.ts';
import { formatMatches } from './intents/search.ts';
import type { Reading } from './understand/reading.ts';

const MAX_PLACES = 3;

/** Formats a decision: the answers with how the question was understood, or what is known when none is certain. */
export async function formatChoice(
  choice: Choice,
  readings: readonly Reading[],
  context: ToolContext,
): Promise<string> {
  return choice.isCertain ? formatAnswers(choice, context) : await formatUnsure(choice, readings, context);
}

function formatAnswers({ best }: Choice, context: ToolContext): string {
  const [first, second] = best;
  const understood = (candidate: Candidate) => formatUnderstood(candidate, context);
  const answers = second
    ? best.map((candidate) => `**${understood(candidate)}**\n\n${candidate.answer.text}`)
    : [first!.answer.text, `*${answerText(context, 'understood_as', { reading: understood(first!) })}*`];
  return answers.join('\n\n');
}

/** The reading as a phrase; the whole project is named as within a sentence. */
function formatUnderstood({ answer: { understood } }: Candidate, context: ToolContext): string {
  const { key, params } = understood;
  const isProject = params.name === answerText(context, 'changes.project');
  const name = answerText(context, 'understood.the_project');
  return answerText(context, `understood.${key}`, isProject ? { ...params, name } : params);
}

/** The names that are nowhere, the best places and commits, and how to ask. */
async function formatUnsure(
  { unknown }: Choice,
  readings: readonly Reading[],
  context: ToolContext,
): Promise<string> {
  const places = await formatMatches(readings[0]!, MAX_PLACES, context);
  if (places === '') return answerText(context, 'search.nothing');
  const list = new Intl.ListFormat(context.language ?? 'en', { type: 'conjunction' });
  const names = unknown.names.map(inlineCode);
  return [
    answerText(context, 'unsure.head'),
    names.length === 0 ? '' : answerText(context, 'unsure.unknown', { names: list.format(names) }),
    places,
    answerText(context, 'unsure.how'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}
