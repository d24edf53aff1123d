import { MAX_OFFERED_READINGS, type OfferedReading } from '#contract/chat.ts';
import { answerText } from '../answer/answer-text.ts';
import { inlineCode } from '../answer/markdown.ts';
import type { ToolContext } from '../tools/tool.ts';
import type { Choice } from './choose.ts';
import type { Entity, Mention } from './understand/entities.ts';
import type { Intent, Reading } from './understand/reading.ts';

const MAX_OTHER_READINGS = 2;
/** Less likely readings are not offered. */
const MIN_OFFERED_PRIOR = 0.05;
const MAX_ALTERNATIVES = 3;
const MAX_NAME_LENGTH = 300;
/** The question is repeated with another name up to this length. */
const MAX_REPEATED_LENGTH = 2_000;

/** Offers what the answer leaves out, equally good meanings of the question's names, then readings that were not answered, each as a question. */
export function offerReadings(
  { best, isCertain }: Choice,
  readings: readonly Reading[],
  question: string,
  context: ToolContext,
): OfferedReading[] {
  const shown = new Set(isCertain ? best.map(({ reading }) => reading.intent) : []);
  const others = readings.filter(({ intent, prior }) => !shown.has(intent) && prior >= MIN_OFFERED_PRIOR);
  const names = (best[0]?.reading ?? readings[0]!).mentions.flatMap((mention) =>
    offerAlternatives(mention, question, context),
  );
  const questions = others.flatMap((reading) => offerReading(reading, context) ?? []);
  const complete = isCertain ? best.flatMap(({ answer }) => answer.complete ?? []) : [];
  return [...complete, ...names, ...questions.slice(0, MAX_OTHER_READINGS)].slice(0, MAX_OFFERED_READINGS);
}

/** The question with another meaning of one of its names. */
function offerAlternatives(
  { span: [from, to], alternatives }: Mention,
  question: string,
  context: ToolContext,
): OfferedReading[] {
  // Names of an earlier question lie behind the end of this one.
  if (to > question.length || question.length > MAX_REPEATED_LENGTH) return [];
  return alternatives.slice(0, MAX_ALTERNATIVES).flatMap((entity) => {
    const name = entityName(entity);
    if (name === null) return [];
    const repeated = `${question.slice(0, from)}${inlineCode(name)}${question.slice(to)}`;
    return [{ text: answerText(context, 'did_you_mean', { name }), question: repeated }];
  });
}

function offerReading({ intent, mentions }: Reading, context: ToolContext): OfferedReading | null {
  if (!isAboutName(intent)) return null;
  const [name] = mentions
    .toSorted((a, b) => b.score - a.score)
    .map(({ entity }) => entityName(entity))
    .filter((one) => one !== null);
  // Words of the question may be of another language than the reader's.
  if (name === undefined) return null;
  const key = `ask.${intent}` as const;
  return {
    text: answerText(context, key, { name }),
    question: answerText(context, key, { name: inlineCode(name) }),
  };
}

/** False for intents whose questions name no file, definition, person or dependency. */
function isAboutName(intent: Intent): intent is Exclude<Intent, 'search' | 'overview' | 'how_to' | 'commit'> {
  return !['search', 'overview', 'how_to', 'commit'].includes(intent);
}

function entityName(entity: Entity): string | null {
  const name = fullNameOf(entity);
  return name === null || name.length > MAX_NAME_LENGTH ? null : name;
}

function fullNameOf(entity: Entity): string | null {
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
