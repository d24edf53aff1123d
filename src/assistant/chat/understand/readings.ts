import type { ToolContext } from '../../tools/tool.ts';
import { asksBehaviour } from './asks-behaviour.ts';
import mentionWeights from './cues/mention-weights.json' with { type: 'json' };
import { type IntentCue, weighCues } from './cues.ts';
import type { Mention } from './entities.ts';
import { weighIntents } from './intent-model.ts';
import { linkMentions } from './link.ts';
import { readManifestNames } from './manifests.ts';
import { kindOf, questionFeatures } from './question-features.ts';
import { INTENTS, type Intent, type Reading } from './reading.ts';
import { isStopWord } from './topic-words.ts';

/** Weights by the kind of a mention; `none` for a question without any of the kinds that have a positive weight. */
type MentionWeights = Partial<Record<Mention['entity']['kind'] | 'period' | 'none', number>>;

const MENTION_WEIGHTS: Record<Intent, MentionWeights> = mentionWeights;
/** Weight of `search`, which fits every question a little, and one that does not say what it asks more. */
const SEARCH_WEIGHT = 1;
const SEARCH_WEIGHT_WITHOUT_CUES = 2;
const MIN_CUE = 0.5;
/** Intents that a question in the present tense hardly has, and what this takes from their log odds. */
const INTENTS_OF_THE_PAST = new Set<Intent>(['introduced', 'removed', 'who', 'attempts', 'earlier_fixes']);
const PRESENT_PENALTY = 3;
const MAX_READINGS = 5;
/** Less likely readings are not tried. */
const MIN_PRIOR = 0.02;
/** The words of a less certain mention stay in the topic. */
const MIN_CERTAIN_SCORE = 0.75;
const WORD = /[\p{L}\p{N}_$][\p{L}\p{N}\p{M}_$'’.-]*/gu;
/** A question that refers to the one before it. */
const FOLLOW_UP =
  /\b(?:it|its|this|that|them|they|there|those|these)\b|^(?:and|or|but|so|what about|how about|y|et|und)\b/i;

/** `What is Parser?`, in four languages: the rest is one name. */
const WHAT_IS =
  /^\s*(?:what(?:['’]?s|\s+is|\s+are)|qué\s+(?:es|son)|qu['’]est[- ]ce\s+que?(?:\s+c['’]est)?(?:\s+qu['’]?e?)?|was\s+(?:ist|sind))\s*(?:(?:the|an?|el|la|los|las|le|les|une?|der|die|das|eine?)\s+)?/iu;
const WHAT_IS_WEIGHT = 2.5;

function asksWhatItIs(question: string, mentions: readonly Mention[]): boolean {
  const [opening] = WHAT_IS.exec(question) ?? [];
  if (opening === undefined) return false;
  const end = question.replace(/[\s?!.]+$/, '').length;
  return mentions.some(
    ({ entity, span }) =>
      (entity.kind === 'symbol' || entity.kind === 'file') && span[0] <= opening.length && span[1] >= end,
  );
}

/** A question with its cues and mentions, before its intent is decided. */
interface ParsedQuestion {
  text: string;
  cues: IntentCue[];
  mentions: Mention[];
}

/**
 * Readings of a question, likeliest first. Missing parts (`and when?`) are taken from the earlier questions, newest first.
 */
export async function readQuestion(
  text: string,
  earlier: string[],
  context: ToolContext,
): Promise<Reading[]> {
  const { text: question, cues, mentions } = await parseQuestion(text, earlier, context);
  const { projects } = await readManifestNames(context);
  const searchWeight = (cues[0]?.weight ?? 0) < MIN_CUE ? SEARCH_WEIGHT_WITHOUT_CUES : SEARCH_WEIGHT;
  const explained = asksWhatItIs(question, mentions) ? WHAT_IS_WEIGHT : 0;
  const cueWeights = new Map(
    INTENTS.map((intent) => {
      const cue = cues.find((one) => one.intent === intent)?.weight ?? 0;
      const other = intent === 'search' ? searchWeight : intent === 'explanation' ? explained : 0;
      return [intent, cue + weighMentions(intent, mentions) + other];
    }),
  );
  const logOdds = weighIntents(cueWeights, questionFeatures(question, mentions, projects));
  const isPresent = asksBehaviour(question);
  const weights = INTENTS.map((intent) => {
    const spans = cues.find((one) => one.intent === intent)?.spans ?? [];
    const penalty = isPresent && INTENTS_OF_THE_PAST.has(intent) ? PRESENT_PENALTY : 0;
    return { intent, weight: logOdds.get(intent)! - penalty, spans };
  });
  const total = weights.reduce((sum, { weight }) => sum + Math.exp(weight), 0);
  return weights
    .map(({ intent, weight, spans }) => {
      const topic = removeSpans(question, [...spans, ...certainSpans(mentions)]);
      return { intent, mentions, topic, question, prior: Math.exp(weight) / total };
    })
    .sort((a, b) => b.prior - a.prior)
    .filter(({ intent, prior }, i) => (i < MAX_READINGS && prior >= MIN_PRIOR) || intent === 'search');
}

async function parseQuestion(text: string, earlier: string[], context: ToolContext): Promise<ParsedQuestion> {
  const cues = weighCues(text);
  const mentions = await linkMentions(text, context);
  const [before, ...older] = earlier;
  const hasIntent = (cues[0]?.weight ?? 0) >= 0.8;
  if (before === undefined || !FOLLOW_UP.test(text.trim()) || (mentions.length > 0 && hasIntent)) {
    return { text, cues, mentions };
  }
  const last = await parseQuestion(before, older, context);
  const shifted = last.mentions.map((mention) => ({
    ...mention,
    span: shift(mention.span, text.length + 1),
  }));
  return {
    text: `${text}\n${last.text}`,
    cues: hasIntent ? cues : [...last.cues],
    mentions: mentions.length > 0 ? mentions : shifted,
  };
}

function shift([from, to]: [number, number], by: number): [number, number] {
  return [from + by, to + by];
}

/** Weight of an intent by the kinds of the mentions. */
export function weighMentions(intent: Intent, mentions: readonly Mention[]): number {
  const weights = MENTION_WEIGHTS[intent];
  // Several mentions of a kind count once.
  const best = new Map<string, number>();
  for (const mention of mentions) {
    const kind = kindOf(mention);
    best.set(kind, Math.max(best.get(kind) ?? 0, mention.score));
  }
  const found = [...best].map(([kind, score]) => score * (weights[kind as keyof MentionWeights] ?? 0));
  const isSupported = found.some((weight) => weight > 0);
  return found.reduce((sum, weight) => sum + weight, isSupported ? 0 : (weights.none ?? 0));
}

function certainSpans(mentions: readonly Mention[]): [number, number][] {
  return mentions.filter(({ score }) => score >= MIN_CERTAIN_SCORE).map(({ span }) => span);
}

/** The words outside the spans that carry information. */
function removeSpans(question: string, spans: readonly [number, number][]): string {
  return Array.from(question.matchAll(WORD))
    .filter(
      ({ 0: word, index }) => !isStopWord(word) && !spans.some(([from, to]) => from <= index && index < to),
    )
    .map(([word]) => word.replace(/['’.-]+$/, ''))
    .join(' ');
}
