import type { ToolContext } from '../tools/tool.ts';
import { answerFeatures, EXACT_MENTION, isReleaseRange, namesCode } from './answer-features.ts';
import weights from './answer-weights.json' with { type: 'json' };
import { createTopicMatcher } from './evidence/topic-matcher.ts';
import type { IntentAnswer } from './intents/intent.ts';
import { ANSWER_BY_INTENT } from './intents/intent-registry.ts';
import { asksBehaviour } from './understand/asks-behaviour.ts';
import type { Intent, Reading } from './understand/reading.ts';
import { findUnknownNames, type UnknownNames } from './understand/unknown-names.ts';

/** A reading with its answer. */
export interface Candidate {
  reading: Reading;
  answer: IntentAnswer;
  /** Rank among the readings of the question. */
  score: number;
}

/** The decision on a question. */
export interface Choice {
  /** The best answer, and a second one when it is nearly as good; none when nothing answers. */
  best: Candidate[];
  /** The other answers, best first. */
  others: Candidate[];
  unknown: UnknownNames;
  /** Probability that the best answer is right, 0 to 1. */
  confidence: number;
  /** True when the question names something unknown that the answer leaves out. */
  lacksSubject: boolean;
  isCertain: boolean;
  /** True when the best answer may be right and is shown, but not stated with certainty. */
  isTentative: boolean;
}

/** Readings that are answered, beside those without an answer. */
const MAX_ANSWERED = 3;
/** A reading is tried beside a better one when it is at least so likely, compared with that one. */
const MIN_RELATIVE_PRIOR = 0.12;
/** Evidence that makes it unnecessary to try much less likely readings. */
const SUFFICIENT_EVIDENCE = 0.3;
/** A second answer is shown from this share of the best one's score. */
const CLOSE_SHARE = 0.5;
/** Probability below which an answer is left out, and the places alone are shown. */
const MIN_TENTATIVE = 0.3;

/** Answers the readings, likeliest first, and decides which answers are shown. */
export async function chooseAnswers(readings: readonly Reading[], context: ToolContext): Promise<Choice> {
  const answered = (await answerReadings(readings, context)).toSorted((a, b) => b.score - a.score);
  const candidates = await preferTopic(answered, readings, context);
  const [first, second] = candidates;
  const unknown = await findUnknownNames(readings[0]!.question, readings[0]!.mentions, context);
  const confidence = first ? await confidenceOf(first, unknown, context) : 0;
  const lacksSubject = first === undefined || lacksItsSubject(first, unknown);
  const isClose =
    first && second && second.reading.intent !== 'search' && second.score >= first.score * CLOSE_SHARE;
  const best = candidates.slice(0, isClose ? 2 : 1);
  const isAnswer = !lacksSubject && isLikely(first, readings[0]!);
  const isCertain = isAnswer && confidence >= (isOpenAnswer(first!) ? weights.certainty : weights.threshold);
  return {
    best,
    others: candidates.slice(best.length),
    unknown,
    confidence,
    lacksSubject,
    isCertain,
    isTentative: isAnswer && !isCertain && confidence >= MIN_TENTATIVE,
  };
}

/** False for a reading that is much less likely than the likeliest one, which found nothing. */
function isLikely(candidate: Candidate | undefined, likeliest: Reading): boolean {
  return (candidate?.reading.prior ?? 0) >= likeliest.prior * MIN_RELATIVE_PRIOR;
}

/** Intents of questions about a topic in the words of its users, where no name of the code tells what is meant. */
const INTENTS_OF_TOPICS = new Set<Intent>([
  ...(['how_to', 'configuration', 'explanation', 'why', 'introduced', 'who', 'changes'] as const),
]);
/** Intents whose subject is the project or a folder of it. */
const INTENTS_OF_PROJECT = new Set<Intent>(['overview', 'hotspots']);

/** True for an answer to an open question: what the program does, or a topic that no name of the repository stands for. */
export function isOpenAnswer(candidate: Pick<Candidate, 'reading' | 'answer'>): boolean {
  const { intent, question, mentions } = candidate.reading;
  if (intent === 'search') return true;
  if (hasCertainSubject(candidate)) return false;
  // A period is not what a question is about.
  const isNamed = mentions.some(({ entity, score }) => score >= EXACT_MENTION && entity.kind !== 'range');
  const asksPresent = asksBehaviour(question);
  return INTENTS_OF_TOPICS.has(intent) ? !isNamed || asksPresent : !isNamed && asksPresent;
}

/** Likelihood and evidence from which a question about a task of the developers is no guess. */
const SURE_TASK_PRIOR = 0.9;
const SURE_TASK_EVIDENCE = 0.5;

/** True for an answer about the project, a task of its developers, a name that is spelled as code, or a range of releases. */
function hasCertainSubject({ reading, answer }: Pick<Candidate, 'reading' | 'answer'>): boolean {
  const { intent, question, mentions } = reading;
  return (
    INTENTS_OF_PROJECT.has(intent) ||
    (answer.signals?.task === 1 &&
      reading.prior >= SURE_TASK_PRIOR &&
      answer.evidence >= SURE_TASK_EVIDENCE) ||
    mentions.some((mention) => namesCode(mention, question) || isReleaseRange(mention))
  );
}

/** Intents whose answers a person would restrict, and those that are tried where no person is linked. */
const INTENTS_OF_PEOPLE = new Set<Intent>([
  ...(['changes', 'fixed_in_range', 'search', 'commit', 'who', 'co_change', 'introduced'] as const),
  'explanation',
]);
const INTENTS_OF_VERSIONS = new Set<Intent>([
  ...(['changes', 'fixed_in_range', 'search', 'introduced', 'removed', 'explanation'] as const),
  ...(['commit', 'overview', 'earlier_fixes'] as const),
]);
/** A year in other questions may be that of a format or a standard. */
const INTENTS_OF_PERIODS = new Set<Intent>(['changes', 'fixed_in_range', 'hotspots', 'commit', 'search']);
const INTENTS_OF_NAMES = new Set<Intent>([
  ...(['definition', 'callers', 'explanation', 'who', 'introduced', 'removed', 'why', 'tests'] as const),
  ...(['feature_files', 'dependency_use', 'configuration', 'search', 'overview'] as const),
]);

/** True for an answer that is about something else than the unknown version, commit, issue, person or name of the question. */
function lacksItsSubject({ reading: { intent, mentions } }: Candidate, unknown: UnknownNames): boolean {
  const isForeign = unknown.wordShare === 1 && unknown.foreignWords.length > 0;
  const hasPerson = mentions.some(({ entity }) => entity.kind === 'person');
  return (
    unknown.asksOutside ||
    (isForeign && (intent === 'overview' || intent === 'search')) ||
    (INTENTS_OF_PERIODS.has(intent) && unknown.periods.length > 0) ||
    unknown.commits.length + unknown.issues.length > 0 ||
    (INTENTS_OF_VERSIONS.has(intent) && unknown.versions.length > 0) ||
    (INTENTS_OF_PEOPLE.has(intent) && !hasPerson && unknown.people.length > 0) ||
    (INTENTS_OF_NAMES.has(intent) && unknown.names.length > 0)
  );
}

/** Answers each reading that is likely enough; without those that have no answer. */
async function answerReadings(readings: readonly Reading[], context: ToolContext): Promise<Candidate[]> {
  const candidates: Candidate[] = [];
  const answered = new Map<Reading, number>();
  for (const reading of readings) {
    const top = Math.max(0, ...answered.values());
    const isTried = reading.intent === 'search' ? candidates.length > 0 : false;
    if (isTried || (candidates.length > 0 && reading.prior < top * MIN_RELATIVE_PRIOR)) continue;
    if (candidates.length >= MAX_ANSWERED) break;
    const answer = await ANSWER_BY_INTENT[reading.intent](reading, context);
    if (!answer) continue;
    if (answer.evidence >= SUFFICIENT_EVIDENCE) answered.set(reading, reading.prior);
    candidates.push({ reading, answer, score: scoreOf(reading, answer) });
  }
  return candidates;
}

/** Intents that answer about one thing, which may be guessed from a word of the question. */
const INTENTS_OF_SUBJECTS = new Set<Intent>(['explanation', 'definition', 'callers', 'co_change']);
/** Share of the question's words in a guess, compared with those in a search, below which the search answers. */
const MIN_RELATIVE_COVERAGE = 0.7;

/** The search first, where the best answer is about a guessed subject and leaves out much of what the question asks. */
async function preferTopic(
  candidates: Candidate[],
  readings: readonly Reading[],
  context: ToolContext,
): Promise<Candidate[]> {
  const [first] = candidates;
  const search = readings.find(({ intent }) => intent === 'search');
  const { code } = context.index;
  if (!first || !search || !code || !isGuess(first)) return candidates;
  const answer = await ANSWER_BY_INTENT.search(search, context);
  if (!answer) return candidates;
  const matcher = createTopicMatcher(first.reading.question, code);
  const isCovered = matcher.match(first.answer.text) >= MIN_RELATIVE_COVERAGE * matcher.match(answer.text);
  if (isCovered) return candidates;
  return [{ reading: search, answer, score: first.score }, ...candidates];
}

/** True for an answer about something that the question does not name for certain. */
function isGuess({ reading: { intent, mentions } }: Candidate): boolean {
  return INTENTS_OF_SUBJECTS.has(intent) && !mentions.some(({ score }) => score >= EXACT_MENTION);
}

/** Prior and evidence; the prior counts more, since the evidence of different intents is not measured alike. */
function scoreOf({ prior }: Reading, { evidence }: IntentAnswer): number {
  return prior * Math.sqrt(evidence);
}

/** Probability that an answer is right, by a logistic model that `bench/fit/answer-confidence.ts` fits. */
async function confidenceOf(
  { reading, answer }: Candidate,
  unknown: UnknownNames,
  context: ToolContext,
): Promise<number> {
  const features = await answerFeatures(reading, answer, unknown, context);
  const known: Readonly<Record<string, number>> = weights;
  const sum = Object.entries(features).reduce(
    (total, [name, value]) => total + value * (known[name] ?? 0),
    weights.bias,
  );
  return 1 / (1 + Math.exp(-sum));
}
