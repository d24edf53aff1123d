import { answerText } from '../answer/answer-text.ts';
import { inlineCode } from '../answer/markdown.ts';
import type { ToolContext } from '../tools/tool.ts';
import type { Candidate, Choice } from './choose.ts';
import { formatMatches } from './intents/search.ts';
import type { Entity } from './understand/entities.ts';
import type { Reading } from './understand/reading.ts';

const MAX_PLACES = 3;
const MAX_OTHER_READINGS = 2;
/** Less likely readings are not offered. */
const MIN_OFFERED_PRIOR = 0.05;
const MAX_ALTERNATIVES = 3;

/** Formats a decision: the answers with how the question was understood, or what is known when none is certain. */
export async function formatChoice(
  choice: Choice,
  readings: readonly Reading[],
  context: ToolContext,
): Promise<string> {
  return choice.isCertain
    ? formatAnswers(choice, readings, context)
    : formatUnsure(choice, readings, context);
}

function formatAnswers({ best }: Choice, readings: readonly Reading[], context: ToolContext): string {
  const [first, second] = best;
  const understood = (candidate: Candidate) => formatUnderstood(candidate, context);
  const answers = second
    ? best.map((candidate) => `**${understood(candidate)}**\n\n${candidate.answer.text}`)
    : [first!.answer.text, `*${answerText(context, 'understood_as', { reading: understood(first!) })}*`];
  const shown = new Set(best.map(({ reading }) => reading.intent));
  const offered = readings.filter(({ intent, prior }) => !shown.has(intent) && prior >= MIN_OFFERED_PRIOR);
  return [...answers, formatAlternatives(first!.reading, context), formatOffers(offered, context)]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** The reading as a phrase; the whole project is named as within a sentence. */
function formatUnderstood({ answer: { understood } }: Candidate, context: ToolContext): string {
  const { key, params } = understood;
  const isProject = params.name === answerText(context, 'changes.project');
  const name = answerText(context, 'understood.the_project');
  return answerText(context, `understood.${key}`, isProject ? { ...params, name } : params);
}

/** Equally good meanings of the words that the answer is about. */
function formatAlternatives({ mentions }: Reading, context: ToolContext): string {
  const names = mentions
    .flatMap(({ alternatives }) => alternatives.slice(0, MAX_ALTERNATIVES).map(entityName))
    .filter((name) => name !== null);
  if (names.length === 0) return '';
  const list = new Intl.ListFormat(context.language ?? 'en', { type: 'disjunction' });
  return answerText(context, 'did_you_mean', { names: list.format(names.map(inlineCode)) });
}

/** Other readings as questions. */
function formatOffers(readings: readonly Reading[], context: ToolContext): string {
  const questions = readings
    .map((reading) => formatQuestion(reading, context))
    .filter((question) => question !== null)
    .slice(0, MAX_OTHER_READINGS);
  if (questions.length === 0) return '';
  return [answerText(context, 'ask_instead'), questions.map((question) => `- ${question}`).join('\n')].join(
    '\n\n',
  );
}

function formatQuestion({ intent, mentions }: Reading, context: ToolContext): string | null {
  if (intent === 'search' || intent === 'overview') return null;
  const [named] = mentions
    .toSorted((a, b) => b.score - a.score)
    .map(({ entity }) => entityName(entity))
    .filter((name) => name !== null);
  // Words of the question may be of another language than the reader's.
  return named === undefined ? null : answerText(context, `ask.${intent}`, { name: inlineCode(named) });
}

function entityName(entity: Entity): string | null {
  switch (entity.kind) {
    case 'file':
    case 'folder':
    case 'deleted_path':
      return entity.path;
    case 'symbol':
    case 'removed_name':
    case 'dependency':
    case 'person':
      return entity.name;
    case 'version':
      return entity.tag;
    default:
      return null;
  }
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
