import { parseCitations } from '../answer/citations.ts';
import type { ToolContext } from '../tools/tool.ts';
import { rankTopicPlaces } from './evidence/rank-topic.ts';
import { isSpelledAsCode } from './evidence/subject.ts';
import { createTopicMatcher } from './evidence/topic-matcher.ts';
import { historyTopic } from './history/history-topic.ts';
import type { IntentAnswer } from './intents/intent.ts';
import { asksBehaviour } from './understand/asks-behaviour.ts';
import type { Mention } from './understand/entities.ts';
import type { Intent, Reading } from './understand/reading.ts';
import { findTopicCommits } from './understand/topic-commits.ts';
import type { UnknownNames } from './understand/unknown-names.ts';

/** Score of a mention that leaves no doubt. */
export const EXACT_MENTION = 0.9;
/** Bounds of a probability, so that no feature outweighs all others. */
const MIN_PROBABILITY = 0.03;
const MAX_COUNTED = 2;
/** Best places and commits on the topic, with which an answer about something guessed is compared. */
const MAX_PLACES = 3;
const MAX_COMMITS = 12;

/** Intents that answer with places, and those that answer with commits or people; `why` takes too long to be compared with places. */
const INTENTS_OF_PLACES = new Set<Intent>([
  ...(['explanation', 'definition', 'callers', 'configuration', 'dependency_use'] as const),
  ...(['feature_files', 'how_to', 'search'] as const),
]);
const INTENTS_OF_COMMITS = new Set<Intent>([
  ...(['who', 'introduced', 'removed', 'why', 'attempts', 'changes', 'commit', 'earlier_fixes'] as const),
  'fixed_in_range',
]);

/** True for a certain mention of a name that is spelled as code. */
export function namesCode({ span: [from, to], score }: Mention, question: string): boolean {
  return score >= EXACT_MENTION && isSpelledAsCode(question.slice(from, to));
}

/** True for what two named points of the history bound. */
export function isReleaseRange({ entity }: Pick<Mention, 'entity'>): boolean {
  if (entity.kind !== 'range') return false;
  const { from, to } = entity;
  return from.oid !== null && to.oid !== null && to.label !== 'HEAD';
}

/** Features of the probability that an answer is right, by the names of their weights. */
export async function answerFeatures(
  reading: Reading,
  answer: IntentAnswer,
  unknown: UnknownNames,
  context: ToolContext,
): Promise<Record<string, number>> {
  const { evidence, signals = {}, text } = answer;
  const { code } = context.index;
  const covered = code ? createTopicMatcher(reading.question, code).match(text) : 0;
  const foreign = Math.min(MAX_COUNTED, unknown.foreignWords.length);
  const bestMention = reading.mentions.reduce((best, { score }) => Math.max(best, score), 0);
  const isExact = bestMention >= EXACT_MENTION;
  const guess = isExact ? 0 : 1;
  const codeName = Number(reading.mentions.some((mention) => namesCode(mention, reading.question)));
  const behaviour = Number(asksBehaviour(reading.question));
  const [likelihood, support] = [logOdds(reading.prior), logOdds(evidence)];
  return {
    prior: likelihood,
    evidence: support,
    unknownNames: Math.min(MAX_COUNTED, unknown.names.length),
    unknownVersions: Math.min(MAX_COUNTED, unknown.versions.length),
    unknownPeople: Math.min(MAX_COUNTED, unknown.people.length),
    unknownProperNames: Math.min(MAX_COUNTED, unknown.properNames.length),
    unknownWordShare: unknown.wordShare,
    foreignWords: foreign,
    // A word that no developer uses weighs more where nothing else of the question is certain.
    foreignSubject: guess * foreign,
    mention: bestMention,
    exactMention: Number(isExact),
    codeName,
    codeBehaviour: codeName * behaviour,
    releaseRange: Number(reading.mentions.some(isReleaseRange)),
    covered,
    behaviour,
    behaviourPrior: behaviour * likelihood,
    behaviourEvidence: behaviour * support,
    guessCovered: guess * covered,
    guessPrior: guess * likelihood,
    guessEvidence: guess * support,
    behaviourGuess: guess * behaviour,
    ...(isExact ? {} : await measureAgreement(reading, answer, context)),
    ...Object.fromEntries(Object.entries(signals).map(([name, value]) => [`signal_${name}`, value])),
    [reading.intent]: 1,
    ...(signals.task && { taskPrior: likelihood }),
  };
}

/** Agreement of an answer about a guessed subject with the best places and commits for the words of the question. */
async function measureAgreement(
  reading: Reading,
  { text }: IntentAnswer,
  context: ToolContext,
): Promise<Record<string, number>> {
  const { intent } = reading;
  const citations = parseCitations(text);
  const features: Record<string, number> = {};
  const place = citations.find(({ kind }) => kind === 'lines');
  if (place?.kind === 'lines' && INTENTS_OF_PLACES.has(intent)) {
    const best = (await rankTopicPlaces(reading, context)).slice(0, MAX_PLACES);
    const agrees = best.some(({ path }) => path === place.path);
    features[agrees ? 'placeAgrees' : 'placeDiffers'] = 1;
  }
  if (INTENTS_OF_COMMITS.has(intent)) {
    const commit = citations.find(({ kind }) => kind === 'commit');
    const number = commit?.kind === 'commit' ? context.index.commits.find(commit.hash) : -1;
    const ranked = findTopicCommits(historyTopic(reading), context, { limit: MAX_COMMITS });
    features.guessHistory = 1;
    features.commitFit = ranked.find((one) => one.commit === number)?.score ?? 0;
  }
  return features;
}

function logOdds(probability: number): number {
  const bounded = Math.min(1 - MIN_PROBABILITY, Math.max(MIN_PROBABILITY, probability));
  return Math.log(bounded / (1 - bounded));
}
