import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isResolvable, parseCitations } from '../src/assistant/answer/citations.ts';
import { answerQuestion } from '../src/assistant/chat/answer-question.ts';
import { AppError } from '../src/contract/errors.ts';
import type { Language } from '../src/locales/languages.ts';
import { findRepository } from './options.ts';
import { openQuestionIndex } from './question-index.ts';
import { findMissing, type Question, readQuestions } from './question-sets.ts';
import { percentile } from './speed-timing.ts';

/*
 * npm run bench:questions -- --repositories DIR [--set NAME]… [--kind KIND] [--wording NAME] [--show yes] [--cache DIR] [--out FILE]
 *
 * Counts correct answers to questions about public repositories, without a model. Expected answers were computed with git
 * alone. Sets: `facts-open`; `facts-aside`, `-2` and `-3`, each over repositories that were unknown until its first run; `declined-…`,
 * which the repositories cannot answer; `open`, `held` and `unseen`, the first sets.
 */

/** An answer that cites everything is no answer. */
const MAX_CITATIONS = 30;
/** The head of an answer that is not certain. */
const STATED = /^Not certain: about (\d) in 10 /;
const NOW = '2026-10-01T00:00:00Z';
const LANGUAGES = new Set(['es', 'fr', 'de']);

const { values } = parseArgs({
  options: {
    repositories: { type: 'string' },
    set: {
      type: 'string',
      multiple: true,
      default: ['facts-open', 'declined-open', 'open', 'held', 'unseen'],
    },
    kind: { type: 'string' },
    wording: { type: 'string' },
    show: { type: 'string' },
    cache: { type: 'string' },
    out: { type: 'string' },
  },
});
if (!values.repositories) throw new Error('Name the folder of the repositories: --repositories DIR');

interface Result extends Question {
  set: string;
  isRight: boolean;
  isDeclined: boolean;
  /** Tenths in which an answer that is not certain states its probability; null for others. */
  stated: number | null;
  citations: number;
  resolved: number;
  ms: number;
}

const results: Result[] = [];
for (const set of values.set) results.push(...(await runSet(set, values.repositories)));
printTables();
if (values.out) writeFileSync(values.out, results.map((result) => `${JSON.stringify(result)}\n`).join(''));

async function runSet(set: string, folder: string): Promise<Result[]> {
  const chosen = readQuestions(set).filter(
    ({ kind, wording }) => (values.kind ?? kind) === kind && (values.wording ?? wording) === wording,
  );
  const done: Result[] = [];
  for (const [repository, group] of Map.groupBy(chosen, (question) => question.repository)) {
    const repo = findRepository(folder, repository);
    const cached = { name: repository, cache: values.cache };
    const opened = await openQuestionIndex(repo, group[0]!.revision, cached);
    for (const question of group) done.push({ set, ...(await ask(question, { repo, ...opened })) });
  }
  return done;
}

async function ask(
  question: Question,
  repository: { repo: string } & Awaited<ReturnType<typeof openQuestionIndex>>,
): Promise<Omit<Result, 'set'>> {
  const language = (LANGUAGES.has(question.wording) ? question.wording : 'en') as Language;
  const began = performance.now();
  const { answer, abstained } = await answerQuestion(
    { text: question.text, earlier: [] },
    { ...repository, language, now: NOW },
  ).catch(toWrongAnswer);
  const ms = performance.now() - began;
  const citations = parseCitations(answer.replace(/~~.*?~~/g, ''));
  let resolved = 0;
  for (const citation of citations) resolved += Number(await isResolvable(citation, repository));
  const wrong =
    question.expect === null
      ? abstained
        ? null
        : 'should have been declined'
      : findMissing(question.expect, answer, citations.slice(0, MAX_CITATIONS));
  if (wrong !== null && values.show)
    console.error(
      `\n## ${question.id} ${question.kind} ${question.wording}: ${question.text}\n${wrong}\n\n${answer}\n`,
    );
  const outcome = {
    isRight: wrong === null,
    isDeclined: abstained,
    stated: language === 'en' ? Number(STATED.exec(answer)?.[1] ?? 0) || null : null,
    citations: citations.length,
    resolved,
    ms,
  };
  return { ...question, ...outcome };
}

/** A wrong answer in place of the error about a copy of a repository that lacks large objects. */
function toWrongAnswer(error: unknown): { answer: string; abstained: boolean } {
  if (!(error instanceof AppError) || error.messageKey !== 'repository_corrupt') throw error;
  console.error(error.message);
  return { answer: '', abstained: false };
}

function printTables(): void {
  printTable('set', ({ set }) => set);
  printTable('repository', ({ set, repository }) => `${set} ${repository}`);
  printTable('kind', ({ set, kind }) => `${set} ${kind}`);
  printTable('wording', ({ set, wording }) => `${set} ${wording}`);
  printTable('stated', ({ set, stated }) => `${set} ${stated === null ? 'nothing' : `${stated} in 10`}`);
}

function printTable(title: string, keyOf: (result: Result) => string): void {
  console.log(`\n| ${title} | questions | right | % | declined | citations that resolve | p95 ms |`);
  console.log('|---|--:|--:|--:|--:|--:|--:|');
  for (const [key, group] of [...Map.groupBy(results, keyOf)].sort(([a], [b]) => a.localeCompare(b))) {
    const sum = (of: (result: Result) => number) => group.reduce((total, result) => total + of(result), 0);
    const right = sum(({ isRight }) => Number(isRight));
    const cells = [
      ...[key, group.length, right, ((100 * right) / group.length).toFixed(1)],
      sum(({ isDeclined }) => Number(isDeclined)),
      `${sum(({ resolved }) => resolved)} of ${sum(({ citations }) => citations)}`,
      percentile(
        group.map(({ ms }) => ms),
        0.95,
      ).toFixed(0),
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
}
