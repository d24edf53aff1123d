import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { answerError, type ErrorAnswer } from '../src/assistant/debug/answer-error.ts';
import { readFileAt } from '../src/git/file-at.ts';
import { closeChangeIndex, openChangeIndex } from '../src/memory/changes/change-index.ts';
import { type LabelledError, readErrors } from './error-sets.ts';
import { findRepository } from './options.ts';
import { openQuestionIndex } from './question-index.ts';

/*
 * node bench/changed-lines.ts --repositories DIR [--cache DIR] [--show yes] --set NAME…
 *
 * Answers each labelled error at the newest revision of its repository in the sets, as a reader does who reports from an older
 * version, and compares what is said about the failing line with git: whether its text is gone, and by which commit.
 */
const { values } = parseArgs({
  options: {
    repositories: { type: 'string' },
    cache: { type: 'string' },
    show: { type: 'string' },
    set: { type: 'string', multiple: true },
  },
});
if (!values.repositories || !values.set) throw new Error('Give --repositories DIR and --set NAME');

interface Outcome {
  error: LabelledError;
  answer: ErrorAnswer;
  /** The commit that last took the text of the failing line away, by git; null while it is still there. */
  removedBy: string | null;
}

const outcomes: Outcome[] = [];
const errors = values.set.flatMap(readErrors).filter(({ expect }) => expect.files.length > 0);
for (const [name, own] of Map.groupBy(errors, ({ repository }) => repository)) {
  const repo = findRepository(values.repositories, name);
  const revisions = [...new Set(own.map(({ revision }) => revision))];
  const newest = git(repo, 'rev-list', '--no-walk', ...revisions).split('\n')[0]!;
  const { index, hunks } = await openQuestionIndex(repo, newest, { name, cache: values.cache });
  const older = own.filter(({ revision }) => revision !== newest && index.commits.find(revision) >= 0);
  for (const error of older) {
    const line = await failingLine(error, repo);
    if (line === null) continue;
    const now = new Date(1000 * (index.commits.time(0) + 86_400)).toISOString();
    const deps = { repo, index, hunks: openChangeIndex(hunks), sessions: [], now };
    const answer = await answerError(error, deps, 'en');
    const removedBy = await findRemoval(repo, line, error.revision, newest);
    outcomes.push({ error, answer, removedBy });
  }
  closeChangeIndex(hunks);
}
print();

interface FailingLine {
  path: string;
  text: string;
}

/** The innermost printed line in one of the labelled files, as it was at the revision of the error. */
async function failingLine(
  { error_message, revision, expect }: LabelledError,
  repo: string,
): Promise<FailingLine | null> {
  for (const path of expect.files) {
    const name = path.slice(path.lastIndexOf('/') + 1).replaceAll('.', '\\.');
    const printed = new RegExp(`${name}(?:", line |:|\\(| on line | line )(\\d{1,6})`, 'g');
    const found = [...error_message.matchAll(printed)];
    // Python prints the innermost frame last.
    const match = /Traceback \(most recent/.test(error_message) ? found.at(-1) : found[0];
    const text = match && (await readFileAt(repo, revision, path))?.split('\n')[Number(match[1]) - 1]?.trim();
    if (text) return { path, text };
  }
  return null;
}

async function findRemoval(
  repo: string,
  { path, text }: FailingLine,
  revision: string,
  newest: string,
): Promise<string | null> {
  const lines = (await readFileAt(repo, newest, path))?.split('\n') ?? [];
  const bare = (line: string) => line.replace(/\s+/g, '');
  if (lines.some((line) => bare(line) === bare(text))) return null;
  return git(repo, 'log', '-1', '--format=%H', `-S${text}`, `${revision}..${newest}`, '--', path) || null;
}

function git(repo: string, ...args: string[]): string {
  return execFileSync('git', ['-C', repo, ...args], { encoding: 'utf8', maxBuffer: 2 ** 26 }).trim();
}

function print(): void {
  const gone = outcomes.filter(({ removedBy }) => removedBy !== null);
  const stated = outcomes.filter(({ answer }) => answer.changed_since);
  const isSame = ({ answer, removedBy }: Outcome) => answer.changed_since?.commit.hash === removedBy;
  const isOfChange = ({ answer }: Outcome) => answer.changed_since?.how !== 'checked';
  const fixed = outcomes.filter(({ error }) => error.kind === 'regression' && error.expect.fix !== undefined);
  const byFix = fixed.filter(({ error, answer }) => answer.changed_since?.commit.hash === error.expect.fix);
  const rows = [
    ['errors answered at a later revision', outcomes.length],
    ['failing line gone, by git', gone.length],
    ['of these, stated', gone.filter(({ answer }) => answer.changed_since).length],
    ['of these, by the same commit', gone.filter(isSame).length],
    ['stated: line changed or removed', stated.filter(isOfChange).length],
    ['of these, gone by git', stated.filter((one) => isOfChange(one) && one.removedBy !== null).length],
    ['stated: check added', stated.filter((one) => !isOfChange(one)).length],
    ['regressions fixed since', fixed.length],
    ['of these, stated', fixed.filter(({ answer }) => answer.changed_since).length],
    ['of these, by the fix', byFix.length],
    ['called a misuse though the line is gone', gone.filter(({ answer }) => answer.kind === 'usage').length],
  ];
  console.log('| figure | errors |\n|---|--:|');
  for (const row of rows) console.log(`| ${row.join(' | ')} |`);
  if (values.show)
    for (const { error, answer, removedBy } of outcomes)
      console.error(
        [
          `${error.id} ${error.kind} -> ${answer.kind}`,
          `${answer.changed_since?.how} ${answer.changed_since?.commit.hash.slice(0, 9)}`,
          `${answer.changed_since?.commit.message.split('\n')[0]}`,
          `git ${removedBy?.slice(0, 9)} fix ${error.expect.fix?.slice(0, 9)} ${answer.changed_since?.text}`,
        ].join(' | '),
      );
}
