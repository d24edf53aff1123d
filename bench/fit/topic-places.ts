import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { scopeOf } from '../../src/assistant/chat/evidence/scope.ts';
import { collectTopicCandidates } from '../../src/assistant/chat/evidence/topic-candidates.ts';
import { measureTopicCandidates } from '../../src/assistant/chat/evidence/topic-features.ts';
import { linkMentions } from '../../src/assistant/chat/understand/link.ts';
import { AppError } from '../../src/contract/errors.ts';
import { openSourceReader } from '../../src/investigate/locate/source-reader.ts';
import { findRepository } from '../options.ts';
import { openQuestionIndex } from '../question-index.ts';
import { type Question, readQuestions } from '../question-sets.ts';
import { fitListwise, type Listing, scoresOf } from './listwise.ts';

/*
 * node bench/fit/topic-places.ts --repositories DIR --cache DIR [--weights yes]
 *
 * Fits the weights by which places answer everyday questions, listwise on the places that people accepted. Prints how many questions
 * have one among the first three files when their repository is left out of the fit; `--weights` writes the weights of all.
 */
const WEIGHTS = 'src/assistant/chat/evidence/topic-weights.json';
const SETS = [
  ...['everyday-open', 'everyday-aside', 'everyday-aside-2', 'everyday-aside-3'],
  ...['everyday-aside-4', 'everyday-aside-5'],
];
const RIDGE = 0.005;
const STEPS = 200;
const MAX_SHOWN = 3;
/** Weights towards which the fit is regularized, beside 0: few questions are about tests. */
const PRIOR: Readonly<Record<string, number>> = { askedTest: 2 };

interface Row extends Listing {
  set: string;
  repository: string;
  paths: string[];
}

const { values } = parseArgs({
  options: { repositories: { type: 'string' }, cache: { type: 'string' }, weights: { type: 'string' } },
});
if (!values.repositories) throw new Error('Name the folder of the repositories: --repositories DIR');

let names: string[] = [];
const rows: Row[] = [];
for (const set of SETS)
  for (const [repository, questions] of Map.groupBy(readQuestions(set), (one) => one.repository))
    rows.push(...(await collect(set, repository, questions)));
printLeftOut();
if (values.weights) save();

async function collect(set: string, repository: string, questions: readonly Question[]): Promise<Row[]> {
  const repo = findRepository(values.repositories!, repository);
  const named = { name: repository, cache: values.cache };
  const opened = await openQuestionIndex(repo, questions[0]!.revision, named);
  const sources = openSourceReader(repo, opened.index);
  const context = { repo, ...opened, sources, now: Date.parse('2026-10-01T00:00:00Z') / 1000 };
  const collected: Row[] = [];
  for (const { text, expect } of questions) {
    const accepted = expect?.cites_early ?? [];
    if (accepted.length === 0) continue;
    try {
      const scope = scopeOf(await linkMentions(text, context), text);
      const found = await collectTopicCandidates(text, scope, context);
      const features = measureTopicCandidates(text, found, context);
      names = Object.keys(features[0] ?? {});
      const data = Float32Array.from(features.flatMap((one) => Object.values(one)));
      const right = found.candidates.flatMap(({ path, from, to }, i) =>
        accepted.some((place) => isWithin(place, path, from, to)) ? [i] : [],
      );
      const paths = found.candidates.map(({ path }) => path);
      collected.push({ set, repository, paths, rows: data, count: features.length, right });
    } catch (error) {
      // A copy that lacks large objects.
      if (!(error instanceof AppError)) throw error;
    }
  }
  sources.close();
  return collected;
}

function isWithin(place: string, path: string, from: number, to: number): boolean {
  const [expected, line] = place.split(':');
  return path === expected && (line === undefined || (from <= Number(line) && Number(line) <= to));
}

function fit(some: readonly Row[]): Float64Array {
  const listings = some.filter(({ right }) => right.length > 0);
  const prior = Float64Array.from(names, (name) => PRIOR[name] ?? 0);
  return fitListwise(listings, { width: names.length, ridge: RIDGE, prior, steps: STEPS });
}

function printLeftOut(): void {
  const found = new Map<string, number>(SETS.map((set) => [set, 0]));
  for (const repository of new Set(rows.map((row) => row.repository))) {
    const others = fit(rows.filter((row) => row.repository !== repository));
    for (const row of rows.filter((one) => one.repository === repository))
      if (isAmongFirst(row, others)) found.set(row.set, found.get(row.set)! + 1);
  }
  for (const set of SETS)
    console.log(`${set}: ${found.get(set)} of ${rows.filter((row) => row.set === set).length}`);
}

function isAmongFirst({ rows: data, count, paths, right }: Row, weights: Float64Array): boolean {
  const scores = scoresOf(data, count, weights);
  const order = Array.from(scores.keys()).toSorted((a, b) => scores[b]! - scores[a]!);
  const bestOfFiles = [...new Map(order.toReversed().map((i) => [paths[i]!, i])).values()].toReversed();
  return bestOfFiles
    .toSorted((a, b) => scores[b]! - scores[a]!)
    .slice(0, MAX_SHOWN)
    .some((i) => right.includes(i));
}

function save(): void {
  const fitted = fit(rows);
  const rounded = Object.fromEntries(names.map((name, i) => [name, Number(fitted[i]!.toFixed(3))]));
  writeFileSync(WEIGHTS, `${JSON.stringify(rounded, null, 2)}\n`);
}
