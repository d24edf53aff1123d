import { isNonSource } from '#evolution/fixes.ts';
import { cachedWordTerms } from '#search/lexical/word-terms.ts';
import { commitsTouching } from '../../tools/file-commits.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { entitiesOf } from '../understand/entities.ts';
import { pathTableOf } from '../understand/path-table.ts';
import type { Reading } from '../understand/reading.ts';
import { findTopicCommits } from '../understand/topic-commits.ts';
import { findTopicPlaces, type TopicPlace } from '../understand/topic-places.ts';
import { sweepingFactor } from './commit-size.ts';
import { findFirstAddition } from './first-addition.ts';
import { addedPaths } from './gone-paths.ts';
import { focusedTopic, namedTexts } from './history-topic.ts';
import { type TopicEvidence, TopicScorer } from './topic-scorer.ts';

/** A commit that first added what a question is about. */
export interface Introduction {
  commit: number;
  /** Fit of the commit to the question, 0 to 1. */
  score: number;
  /** Text that the commit added first in the history; null where only its message or paths fit. */
  text: string | null;
  /** File that the commit added and that fits. */
  path: string | null;
}

const ADDITION_VERBS = [
  ...[
    'add',
    'introduce',
    'support',
    'implement',
    'create',
    'new',
    'allow',
    'enable',
    'feat',
    'feature',
    'initial',
  ],
  ...['provide', 'expose', 'first', 'implementation', 'contribute', 'import'],
];
const ADDITION_SUBJECT =
  /\b(?:add\w*|introduc\w*|support\w*|implement\w*|creat\w*|new|allow\w*|enabl\w*|feat\w*|initial\w*|provid\w*|expos\w*|first|optional\w*)\b/i;
/** Subjects about something that exists already. */
const LATER_SUBJECT =
  /\b(?:fix\w*|docs?|document\w*|typos?|tests?|refactor\w*|renam\w*|remov\w*|drop\w*|delet\w*|revert\w*|deprecat\w*|chang\w*|updat\w*|improv\w*|mov\w*|clean\w*|bump\w*)\b/i;
const MAX_COMMITS = 40;
const MAX_NAMED_TEXTS = 4;
/** Rare words of the question that are names in the code. */
const MAX_RARE_WORDS = 2;
const MAX_NAMES = 2;
const MAX_PLACES = 10;
const MAX_PLACES_FOR_NAMES = 8;
const MAX_INTRODUCTIONS = 4;
const MAX_IDENTIFIERS = 400;
const IDENTIFIER = /[A-Za-z_$][\w$]*(?:-[A-Za-z_$][\w$]*)*/g;
const MIN_NAME_COVER = 0.5;
const ADDED_PATH_STRENGTH = 0.9;
const ADDED_LINE_STRENGTH = 0.7;
const VERB_BONUS = 1.1;
const LATER_FACTOR = 0.85;
const FIRST_TEXT_BONUS = 1.15;
/** Further bonus of a text that is all of the topic. */
const WHOLE_TOPIC_BONUS = 0.7;
const MIN_FOLDER_SCORE = 0.75;
const FIRST_FILE_BONUS = 1.05;
/** The first of several additions is usually meant. */
const AGE_SHARE = 0.08;

interface Candidate extends Introduction {
  evidence: TopicEvidence[];
  bonus: number;
}

/** Finds the commits that first added what the question is about, best first. */
export async function findIntroductions(reading: Reading, context: ToolContext): Promise<Introduction[]> {
  const { index } = context;
  const topic = focusedTopic(reading);
  const scorer = new TopicScorer(topic, context);
  const found = new Map<number, Candidate>();
  const add = (commit: number): Candidate => {
    const known = found.get(commit);
    if (known) return known;
    const created = { commit, score: 0, text: null, path: null, evidence: [], bonus: 1 };
    found.set(commit, created);
    return created;
  };
  for (const { commit } of findTopicCommits(topic, context, { verbs: ADDITION_VERBS, limit: MAX_COMMITS }))
    add(commit);
  const places = findTopicPlaces(topic, context, { limit: MAX_PLACES });
  collectFiles(reading, places, scorer, add, context);
  await collectTexts(textsToDate(reading, places, scorer, context), scorer, add, context);
  const candidates = [...found.values()].filter(({ commit }) => index.commits.parents(commit).length < 2);
  for (const one of candidates) one.score = scoreCandidate(one, scorer, context);
  candidates.sort((a, b) => b.score - a.score || b.commit - a.commit);
  return candidates
    .slice(0, MAX_INTRODUCTIONS)
    .map(({ commit, score, text, path }) => ({ commit, score: Math.min(1, score), text, path }));
}

function scoreCandidate(
  { commit, evidence, bonus, text }: Candidate,
  scorer: TopicScorer,
  { index }: ToolContext,
): number {
  const subject = index.commits.subject(commit);
  const paths = { text: addedPaths(commit, index).join('\n'), strength: ADDED_PATH_STRENGTH };
  const covered = scorer.coverCommit(commit, [...evidence, paths]);
  const adds = ADDITION_SUBJECT.test(subject);
  const verb = adds ? VERB_BONUS : LATER_SUBJECT.test(subject) && text === null ? LATER_FACTOR : 1;
  const age = index.commits.count === 0 ? 0 : commit / index.commits.count;
  return covered * bonus * verb * (1 + AGE_SHARE * age) * sweepingFactor(commit, index);
}

/** Files that the question names or whose names fit it, with their first commits under any name. */
function collectFiles(
  reading: Reading,
  places: TopicPlace[],
  scorer: TopicScorer,
  add: (commit: number) => Candidate,
  context: ToolContext,
): void {
  const named = entitiesOf(reading.mentions, 'file', 'deleted_path').map(({ path }) => path);
  const fitting = places
    .map(({ path }) => path)
    .filter((path) => scorer.cover([{ text: path, strength: 1 }]) >= MIN_NAME_COVER);
  for (const path of new Set([...named, ...fitting])) {
    const first = commitsTouching(path, context).at(-1);
    if (first === undefined) continue;
    const candidate = add(first);
    candidate.path ??= path;
    candidate.evidence.push({ text: path, strength: ADDED_PATH_STRENGTH });
    if (!isNonSource(path)) candidate.bonus = Math.max(candidate.bonus, FIRST_FILE_BONUS);
  }
  for (const { entity, score } of reading.mentions) {
    if (entity.kind !== 'folder' || score < MIN_FOLDER_SCORE) continue;
    const first = firstCommitBelow(entity.path, context);
    if (first === null) continue;
    const candidate = add(first);
    candidate.path ??= entity.path;
    candidate.evidence.push({ text: entity.path, strength: 1 });
    const share = scorer.cover([{ text: entity.path, strength: 1 }]);
    candidate.bonus = Math.max(candidate.bonus, FIRST_TEXT_BONUS + WHOLE_TOPIC_BONUS * share);
  }
}

/** The commit that first had a file below a folder. */
function firstCommitBelow(folder: string, { index }: ToolContext): number | null {
  const { commits } = index;
  let first: number | null = null;
  for (const { path, isFolder } of pathTableOf(index).paths) {
    if (isFolder || !path.startsWith(`${folder}/`)) continue;
    const number = commits.pathNumber(path);
    const oldest = number < 0 ? undefined : commits.touching(number).at(-1);
    if (oldest !== undefined) first = Math.max(first ?? oldest, oldest);
  }
  return first;
}

/** Texts whose first addition dates the topic: names that the question has, and names made of its words. */
function textsToDate(
  reading: Reading,
  places: TopicPlace[],
  scorer: TopicScorer,
  context: ToolContext,
): string[] {
  const own = [
    ...namedTexts(focusedTopic(reading)).map(({ text }) => text),
    ...entitiesOf(reading.mentions, 'symbol', 'removed_name').map(({ name }) => name.split('.').at(-1)!),
  ];
  const named = [...own.slice(0, MAX_NAMED_TEXTS), ...scorer.rarestNames(MAX_RARE_WORDS)];
  return [...new Set([...named, ...composedNames(places, scorer, context)])];
}

/** Names in the places on the topic whose parts are its words, such as `SESSION_COOKIE_PARTITIONED`. */
function composedNames(places: TopicPlace[], scorer: TopicScorer, context: ToolContext): string[] {
  const { code } = context.index;
  if (!code) return [];
  const scores = new Map<string, number>();
  for (const { passage } of places.slice(0, MAX_PLACES_FOR_NAMES)) {
    const text = code.passageText(passage) ?? '';
    for (const name of new Set(text.match(IDENTIFIER)?.slice(0, MAX_IDENTIFIERS))) {
      if (name.length < 4 || scores.has(name)) continue;
      const cover = scorer.cover([{ text: name, strength: 1 }]);
      if (cover > 0) scores.set(name, cover / Math.sqrt(cachedWordTerms(name).length || 1) + cover);
    }
  }
  return [...scores]
    .filter(([name]) => scorer.cover([{ text: name, strength: 1 }]) >= MIN_NAME_COVER)
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_NAMES)
    .map(([name]) => name);
}

/** Adds the commits that first added the texts, in any file. */
async function collectTexts(
  texts: string[],
  scorer: TopicScorer,
  add: (commit: number) => Candidate,
  context: ToolContext,
): Promise<void> {
  for (const text of texts) {
    const first = await findFirstAddition(text, context);
    if (!first) continue;
    const candidate = add(context.index.commits.find(first.hash));
    candidate.text ??= text;
    const share = scorer.cover([{ text, strength: 1 }]);
    candidate.bonus = Math.max(candidate.bonus, FIRST_TEXT_BONUS + WHOLE_TOPIC_BONUS * share ** 2);
    candidate.evidence.push({ text, strength: 1 });
    const lines = first.hunk?.lines.flatMap((line) => (line.kind === 'add' ? [line.text] : [])) ?? [];
    candidate.evidence.push({ text: lines.join('\n'), strength: ADDED_LINE_STRENGTH });
    candidate.evidence.push({ text: first.new_path ?? '', strength: ADDED_LINE_STRENGTH });
  }
}
