import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { answerError, type ErrorAnswer } from '../src/assistant/debug/answer-error.ts';
import { checkPatch } from '../src/git/apply.ts';
import { readFileAt } from '../src/git/file-at.ts';
import { closeChangeIndex, openChangeIndex } from '../src/memory/changes/change-index.ts';
import { checkChangeInProcess } from '../src/memory/chunk/parser-processes.ts';
import type { RepositoryIndex } from '../src/memory/repository-index.ts';
import { EXPECTED_KINDS, type LabelledError, readErrors } from './error-sets.ts';
import { findRepository } from './options.ts';
import { openQuestionIndex } from './question-index.ts';
import { percentile } from './speed-timing.ts';

/*
 * npm run bench:errors -- --repositories DIR [--set NAME]… [--id ID] [--show yes] [--cache DIR] [--out FILE]
 *
 * Answers real errors of public programs at the revisions that printed them, without a model, and compares the answers with
 * what a maintainer would say: kind, place, guard, culprit, and whether the text belongs to this repository at all.
 */

/** Time between the revision and the report of its error. */
const REPORT_DELAY_SECONDS = 86_400;

const { values } = parseArgs({
  options: {
    repositories: { type: 'string' },
    set: { type: 'string', multiple: true, default: ['open'] },
    id: { type: 'string', multiple: true },
    show: { type: 'string' },
    cache: { type: 'string' },
    out: { type: 'string' },
  },
});
if (!values.repositories) throw new Error('Name the folder of the repositories: --repositories DIR');

interface Outcome {
  error: LabelledError;
  answer: ErrorAnswer;
  ms: number;
  /** The exact kind of the label, and one that suits it: a guard is an answer to a misuse as well. */
  isKindExact: boolean;
  isKindRight: boolean;
  isDeclined: boolean;
  /** Rank of the first right file; Infinity when none is right. */
  fileRank: number;
  /** Null when the label names no statement. */
  isRaiseRight: boolean | null;
  /** Hashes of the accused commits, best first. */
  accused: string[];
  culpritRank: number;
  patch: 'none' | 'rejected' | 'broken' | 'parsed';
  /** True when `abstained` says exactly that neither place nor cause is stated. */
  isConsistent: boolean;
}

const outcomes: Outcome[] = [];
for (const set of values.set) await runSet(set, values.repositories);
printTables();
if (values.out) writeFileSync(values.out, outcomes.map((outcome) => `${JSON.stringify(outcome)}\n`).join(''));

async function runSet(set: string, folder: string): Promise<void> {
  const chosen = readErrors(set).filter(({ id }) => values.id?.includes(id) ?? true);
  for (const [key, group] of Map.groupBy(chosen, ({ repository, revision }) => `${repository} ${revision}`)) {
    const [repository, revision] = key.split(' ') as [string, string];
    const repo = findRepository(folder, repository);
    const { index, hunks } = await openQuestionIndex(repo, revision, {
      name: repository,
      cache: values.cache,
    });
    for (const error of group) outcomes.push(await answer(error, { repo, index, hunks }));
    closeChangeIndex(hunks);
  }
}

async function answer(
  error: LabelledError,
  { repo, index, hunks }: { repo: string; index: RepositoryIndex; hunks: string },
): Promise<Outcome> {
  const reported = index.commits.time(index.commits.find(error.revision)) + REPORT_DELAY_SECONDS;
  const deps = {
    ...{ repo, index, hunks: openChangeIndex(hunks), sessions: [] },
    now: new Date(1000 * reported).toISOString(),
  };
  const began = performance.now();
  const found = await answerError(error, deps, 'en');
  const ms = performance.now() - began;
  const kind = found.kind ?? (found.abstained ? 'vague' : 'regression');
  const expected = EXPECTED_KINDS[error.kind];
  const accused = accusedCommits(found);
  const outcome: Outcome = {
    ...{ error, answer: found, ms, accused },
    isKindExact: kind === expected[0] || (error.kind === 'foreign' && expected.includes(kind)),
    isKindRight: expected.includes(kind),
    isDeclined: found.abstained && accused.length === 0,
    fileRank: rankOf(found.places, ({ path }) => error.expect.files.includes(path)),
    isRaiseRight: error.expect.raise ? isAt(error.expect.raise, found) : null,
    culpritRank: rankOf(accused, (hash) => hash === error.expect.culprit),
    patch: await judgePatch(found, repo),
    isConsistent: found.abstained === (found.place_confidence == null && found.root_cause === null),
  };
  if (values.show && isMissed(outcome)) showOutcome(outcome);
  return outcome;
}

/** Suspects of the answer; none while its kind rules out a fault of the project. */
function accusedCommits({ suspect_commits, root_cause }: ErrorAnswer): string[] {
  const listed = suspect_commits.map(({ hash }) => hash);
  const named = root_cause?.params?.hash;
  return listed.length === 0 && named !== undefined ? [String(named)] : listed;
}

function rankOf<T>(list: readonly T[], test: (item: T) => boolean): number {
  const found = list.findIndex(test);
  return found < 0 ? Number.POSITIVE_INFINITY : found + 1;
}

function isAt(raise: string, { guard }: ErrorAnswer): boolean {
  const [path, line] = raise.split(':');
  return (
    guard != null && guard.path === path && guard.start_line <= Number(line) && guard.end_line >= Number(line)
  );
}

async function judgePatch({ patch, indexed_commit }: ErrorAnswer, repo: string): Promise<Outcome['patch']> {
  if (patch === null) return 'none';
  const result = await checkPatch(repo, indexed_commit, patch);
  if (!result.applies) return 'rejected';
  const checks = await Promise.all(
    result.files.map(async ({ path, content }) => {
      const before = (await readFileAt(repo, indexed_commit, path)) ?? '';
      return await checkChangeInProcess(path, before, content);
    }),
  );
  const isBroken = checks.some((check) => check && (check.newErrors > 0 || check.undefinedNames.length > 0));
  return isBroken ? 'broken' : 'parsed';
}

function isMissed({
  error,
  isKindRight,
  isConsistent,
  isRaiseRight,
  accused,
  culpritRank,
  fileRank,
  isDeclined,
}: Outcome) {
  const shouldDecline = error.expect.declined ?? false;
  return (
    !isKindRight ||
    !isConsistent ||
    isRaiseRight === false ||
    isDeclined !== shouldDecline ||
    (accused.length > 0 && culpritRank > 3) ||
    (!shouldDecline && fileRank > 3)
  );
}

function showOutcome({ error, answer: found, accused, culpritRank, fileRank, isRaiseRight }: Outcome): void {
  const { id, kind, expect, error_message: text } = error;
  const lines = [
    `\n## ${id}: ${kind}, answered as ${found.kind ?? 'unknown'} (${found.confidence})`,
    `place rank ${fileRank}, culprit rank ${culpritRank} of ${accused.length}, raise ${isRaiseRight}`,
    JSON.stringify(expect),
    text.length > 1500 ? `${text.slice(0, 700)}\n…\n${text.slice(-700)}` : text,
    `root cause: ${found.root_cause?.text ?? 'none'}`,
    `guard: ${JSON.stringify(found.guard ?? null)}`,
    `environment: ${JSON.stringify(found.environment ?? [])}`,
    ...found.places
      .slice(0, 3)
      .map(({ path, start_line, score, why }) => `- ${path}:${start_line} ${score} ${why.text}`),
  ];
  console.error(lines.join('\n'));
}

function printTables(): void {
  printKinds();
  printFigures();
}

function printKinds(): void {
  console.log(
    '| kind | errors | exact kind | kind right | declined | place in 1 | in 3 | raise right | accused |',
  );
  console.log('|---|--:|--:|--:|--:|--:|--:|--:|--:|');
  const groups = [...Map.groupBy(outcomes, ({ error }) => error.kind), ['all', outcomes] as const];
  for (const [kind, group] of groups) {
    const count = (test: (outcome: Outcome) => boolean) => group.filter(test).length;
    const located = group.filter(({ error }) => error.expect.files.length > 0);
    const guards = group.filter(({ isRaiseRight }) => isRaiseRight !== null);
    const share = (list: Outcome[], test: (outcome: Outcome) => boolean) =>
      list.length === 0 ? '' : `${list.filter(test).length} of ${list.length}`;
    const cells = [
      ...[
        kind,
        group.length,
        count(({ isKindExact }) => isKindExact),
        count(({ isKindRight }) => isKindRight),
      ],
      count(({ isDeclined }) => isDeclined),
      share(located, ({ fileRank }) => fileRank === 1),
      share(located, ({ fileRank }) => fileRank <= 3),
      share(guards, ({ isRaiseRight }) => isRaiseRight === true),
      count(({ accused }) => accused.length > 0),
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
}

function printFigures(): void {
  const share = (list: Outcome[], test: (outcome: Outcome) => boolean) =>
    `${list.filter(test).length} of ${list.length}`;
  const genuine = outcomes.filter(({ error }) => !(error.expect.declined ?? false));
  const others = outcomes.filter(({ error }) => error.expect.declined ?? false);
  const accusing = outcomes.filter(({ accused }) => accused.length > 0);
  const patched = outcomes.filter(({ patch }) => patch !== 'none');
  const rows = [
    ['foreign and vague texts declined', share(others, ({ isDeclined }) => isDeclined)],
    [
      'kind wrong, and the other kind stated right',
      share(
        outcomes.filter(({ isKindRight, answer }) => !isKindRight && answer.alternative),
        ({ error, answer }) => EXPECTED_KINDS[error.kind].includes(answer.alternative!.kind),
      ),
    ],
    ['genuine errors lost', share(genuine, ({ isDeclined }) => isDeclined)],
    ['accusations where there is a culprit', share(accusing, ({ error }) => error.expect.culprit != null)],
    ['accusations with the culprit first', share(accusing, ({ culpritRank }) => culpritRank === 1)],
    ['accusations with the culprit in three', share(accusing, ({ culpritRank }) => culpritRank <= 3)],
    ['patches that apply', share(patched, ({ patch }) => patch !== 'rejected')],
    ['patches that parse', share(patched, ({ patch }) => patch === 'parsed')],
    [
      '`abstained` exactly where no place and no cause is stated',
      share(outcomes, ({ isConsistent }) => isConsistent),
    ],
    [
      'time, p95',
      `${percentile(
        outcomes.map(({ ms }) => ms),
        0.95,
      ).toFixed(0)} ms`,
    ],
  ];
  console.log('\n| figure | value |\n|---|--:|');
  for (const row of rows) console.log(`| ${row.join(' | ')} |`);
}
