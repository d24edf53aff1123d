import { parseArgs } from 'node:util';
import { investigate } from '../../src/investigate/investigate.ts';
import { closeChangeIndex, openChangeIndex } from '../../src/memory/changes/change-index.ts';
import { readErrors } from '../error-sets.ts';
import { findRepository } from '../options.ts';
import { openQuestionIndex } from '../question-index.ts';

/**
 * Counts errors whose kind stays the same when the report is laid out in another way: quoted, logged, fenced, cut. A layout says
 * nothing about the kind, so that every change is a text that the program fails to read:
 *
 *     node bench/fit/layouts.ts --repositories DIR [--cache DIR] [--every 3]
 */
const SETS = ['open', 'aside', 'aside-2', 'aside-3', 'aside-4'];
const DAY = 86_400;
const text = { type: 'string' } as const;
const { values } = parseArgs({ options: { repositories: text, cache: text, every: text } });
if (!values.repositories) throw new Error('Name the folder of the repositories: --repositories DIR');

const eachLine = (change: (line: string) => string) => (report: string) =>
  report.split('\n').map(change).join('\n');

const LAYOUTS: Record<string, (report: string) => string> = {
  fenced: (report) =>
    `Hello,\n\nI get the following output and do not understand it:\n\n\`\`\`\n${report}\n\`\`\`\n\nAny help is appreciated.`,
  'prefixed by a container': eachLine((line) => `api-1  | ${line}`),
  'prefixed by times': eachLine((line) => `2026-03-04T10:11:12.345Z ${line}`),
  'after a level': (report) => `[2026-03-04 10:11:12] production.ERROR: ${report}`,
  quoted: eachLine((line) => `> ${line}`),
  indented: eachLine((line) => `    ${line}`),
  'in a log record': (report) => JSON.stringify({ level: 'error', msg: 'request failed', stack: report }),
  cut: cutFrames,
};

const FRAME_LINE = /^\s*(?:at |from |#\d+ |File ")|:\d+:in |^\s{2}/;
/** Lines kept at each end of a run of frames. */
const END_LINES = 5;

function cutFrames(report: string): string {
  const kept: string[] = [];
  let run: string[] = [];
  for (const line of [...report.split('\n'), '']) {
    if (FRAME_LINE.test(line)) {
      run.push(line);
      continue;
    }
    const isLong = run.length > 2 * END_LINES;
    kept.push(...(isLong ? [...run.slice(0, END_LINES), '    [...]', ...run.slice(-END_LINES)] : run), line);
    run = [];
  }
  return kept.slice(0, -1).join('\n');
}

const every = Number(values.every ?? 1);
const chosen = SETS.flatMap((set) => readErrors(set)).filter((_, at) => at % every === 0);
const same = new Map(Object.keys(LAYOUTS).map((name) => [name, 0]));
for (const group of Map.groupBy(chosen, (error) => `${error.repository} ${error.revision}`).values()) {
  const { repository, revision } = group[0]!;
  const repo = findRepository(values.repositories, repository);
  const { index, hunks } = await openQuestionIndex(repo, revision, {
    name: repository,
    cache: values.cache,
  });
  const changes = openChangeIndex(hunks);
  const now = new Date(1000 * (index.commits.time(index.commits.find(revision)) + DAY)).toISOString();
  const kindOf = async (error: (typeof group)[number], error_message: string) =>
    (await investigate({ ...error, error_message }, { repo, index, hunks: changes, sessions: [], now })).kind;
  for (const error of group) {
    const expected = await kindOf(error, error.error_message);
    for (const [name, lay] of Object.entries(LAYOUTS)) {
      const kind = await kindOf(error, lay(error.error_message));
      if (kind === expected) same.set(name, same.get(name)! + 1);
      else console.error(`${error.id} ${name}: ${kind} rather than ${expected}`);
    }
  }
  closeChangeIndex(hunks);
}
console.log(`| layout | same kind, of ${chosen.length} |\n|---|--:|`);
for (const [name, count] of same) console.log(`| ${name} | ${count} |`);
