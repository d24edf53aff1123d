import { appendFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parseCitations } from '../../src/assistant/answer/citations.ts';
import { answerFeatures } from '../../src/assistant/chat/answer-features.ts';
import { chooseAnswers, isOpenAnswer } from '../../src/assistant/chat/choose.ts';
import { readQuestion } from '../../src/assistant/chat/understand/readings.ts';
import { AppError } from '../../src/contract/errors.ts';
import { openSourceReader } from '../../src/investigate/locate/source-reader.ts';
import { findRepository } from '../options.ts';
import { openQuestionIndex } from '../question-index.ts';
import { findMissing, type Question, readQuestions } from '../question-sets.ts';

/*
 * node bench/fit/questions.ts --repositories DIR --cache DIR --out FILE [--only REPOSITORY]…
 *
 * Writes the answers to the open questions with the features of their confidence and their correctness, one line per
 * question, for `fit/answer-confidence.ts`. Questions about one repository are also asked of the next one, where they
 * are to be declined.
 */

/** A question with the name of its set. */
interface AskedQuestion extends Question {
  set: string;
}

const MAX_CITATIONS = 30;
const NOW = Date.parse('2026-10-01T00:00:00Z') / 1000;
const FACTS = [
  ...['everyday-open', 'everyday-aside', 'everyday-aside-2', 'everyday-aside-3'],
  ...['everyday-aside-4', 'everyday-aside-5'],
  ...['facts-open', 'facts-aside', 'facts-aside-2', 'facts-aside-3', 'facts-aside-4'],
];
const DECLINED = [
  ...['declined-open', 'declined-aside', 'declined-aside-2', 'declined-aside-3', 'declined-aside-4'],
];
/** Kinds of questions that any repository may answer. */
const GENERAL_KINDS = new Set(['how_to', 'overview', 'hotspots', 'how_fixed_before', 'co_change']);

const { values } = parseArgs({
  options: {
    repositories: { type: 'string' },
    cache: { type: 'string' },
    out: { type: 'string', default: 'questions.jsonl' },
    only: { type: 'string', multiple: true },
  },
});
const folder = values.repositories;
if (!folder) throw new Error('Name the folder of the repositories: --repositories DIR');

const withSet = (set: string) => readQuestions(set).map((question) => ({ ...question, set }));
const facts = FACTS.flatMap(withSet);
const declined = DECLINED.flatMap(withSet);
writeFileSync(values.out, '');
for (const [repository, own] of Map.groupBy(facts, (question) => question.repository)) {
  if (values.only && !values.only.includes(repository)) continue;
  const { revision } = own[0]!;
  const repo = findRepository(folder, repository);
  const opened = await openQuestionIndex(repo, revision, { name: repository, cache: values.cache });
  const sources = openSourceReader(repo, opened.index);
  const context = { repo, ...opened, sources, now: NOW };
  const foreign = foreignQuestions(repository, own[0]!.set);
  const unanswerable = declined.filter((question) => question.repository === repository);
  for (const question of [...own, ...unanswerable, ...foreign]) {
    const kind = question.expect === null && question.kind !== 'foreign' ? 'unanswerable' : question.kind;
    const measured = await measure({ ...question, kind }, context).catch(ignoreMissingObjects);
    if (measured) appendFileSync(values.out, `${JSON.stringify(measured)}\n`);
  }
  sources.close();
  console.error(repository);
}

/** Nothing for a copy of a repository that lacks large objects. */
function ignoreMissingObjects(error: unknown): null {
  if (!(error instanceof AppError) || error.messageKey !== 'repository_corrupt') throw error;
  return null;
}

/** One wording of each question about the repository before this one. */
function foreignQuestions(repository: string, set: string): AskedQuestion[] {
  const names = [...new Set(facts.map((question) => question.repository))];
  const other = names.at(names.indexOf(repository) - 1);
  return facts
    .filter((question) => question.repository === other && !GENERAL_KINDS.has(question.kind))
    .filter(({ wording, id }) => wording === (Number(id.slice(-2)) % 2 ? 'terse' : 'second_language'))
    .map((question) => ({ ...question, set, kind: 'foreign', expect: null }));
}

async function measure(
  { id, set, repository, kind, wording, text, expect }: AskedQuestion,
  base: Omit<Parameters<typeof chooseAnswers>[1], 'language'>,
) {
  const language = wording === 'es' || wording === 'fr' || wording === 'de' ? wording : 'en';
  const context = { ...base, language } as const;
  const began = performance.now();
  const readings = await readQuestion(text, [], context);
  const read = performance.now();
  const choice = await chooseAnswers(readings, context);
  const ms = [read - began, performance.now() - read].map(Math.round);
  const answers = [];
  for (const { reading, answer, score } of [...choice.best, ...choice.others]) {
    const citations = parseCitations(answer.text.replace(/~~.*?~~/g, '')).slice(0, MAX_CITATIONS);
    const isRight = expect !== null && findMissing(expect, answer.text, citations) === null;
    const { intent, prior } = reading;
    const features = await answerFeatures(reading, answer, choice.unknown, context);
    const { evidence, understood } = answer;
    answers.push({ intent, prior, score, evidence, isRight, understood, features });
  }
  const mentions = readings[0]!.mentions.map(({ entity, score, span }) => {
    return { kind: entity.kind, score, text: text.slice(...span) };
  });
  const { unknown, best, lacksSubject } = choice;
  const { topic } = readings[0]!;
  return {
    id,
    set,
    repository,
    kind,
    wording,
    text,
    topic,
    mentions,
    unknown,
    lacksSubject,
    isOpen: best.length > 0 && isOpenAnswer(best[0]!),
    shown: best.length,
    answers,
    ms,
  };
}
