import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { weighCues } from '../../src/assistant/chat/understand/cues.ts';
import type { Mention } from '../../src/assistant/chat/understand/entities.ts';
import { linkMentions } from '../../src/assistant/chat/understand/link.ts';
import { readManifestNames } from '../../src/assistant/chat/understand/manifests.ts';
import { questionFeatures } from '../../src/assistant/chat/understand/question-features.ts';
import type { Intent } from '../../src/assistant/chat/understand/reading.ts';
import { weighMentions } from '../../src/assistant/chat/understand/readings.ts';
import { openSourceReader } from '../../src/investigate/locate/source-reader.ts';
import { findRepository } from '../options.ts';
import { openQuestionIndex } from '../question-index.ts';
import { INTENT_OF_KIND, type Question, readQuestions } from '../question-sets.ts';
import { readPhrasings } from './phrasings.ts';

/*
 * node bench/fit/intents.ts --repositories DIR --cache DIR [--set NAME]… [--without REPOSITORY]… [--weights FILE]
 *
 * Fits which words of a question speak for which intent, beside the cues: multinomial logistic regression with weight
 * decay. Words count only when questions about several repositories, or several phrasings of no repository
 * (`phrasings.tsv`), have them. Prints the accuracy with each repository left out, and writes the weights of all.
 */

/** Repositories and questions that must have a feature. */
const MIN_REPOSITORIES = 4;
const MIN_FACTS = 5;
const DECAY = 0.002;
const BIAS_DECAY = 0.01;
const EPOCHS = 120;
const RATE = 0.15;
/** Smaller weights are left out. */
const MIN_WEIGHT = 0.08;

const { values } = parseArgs({
  options: {
    repositories: { type: 'string' },
    cache: { type: 'string' },
    set: {
      type: 'string',
      multiple: true,
      default: ['facts-open', 'facts-aside', 'facts-aside-2', 'facts-aside-3'],
    },
    without: { type: 'string', multiple: true, default: [] },
    weights: { type: 'string', default: 'src/assistant/chat/understand/intent-weights.json' },
  },
});
const folder = values.repositories;
if (!folder) throw new Error('Name the folder of the repositories: --repositories DIR');

const INTENTS = [...new Set(Object.values(INTENT_OF_KIND))];

interface Row {
  id: string;
  repository: string;
  intent: number;
  /** Weights of cues and mentions by intent. */
  cues: number[];
  features: Map<string, number>;
}

interface Model {
  scale: number;
  biases: number[];
  features: Map<string, number[]>;
}

const questions = values.set
  .flatMap((set) => readQuestions(set))
  .filter(({ kind, repository }) => kind in INTENT_OF_KIND && !values.without.includes(repository));
const rows: Row[] = [];
for (const [, own] of Map.groupBy(questions, ({ repository, revision }) => `${repository} ${revision}`))
  rows.push(...(await readRows(own)));

const phrasings = readPhrasings().map(({ intent, group, text, mentions, projects }, number) => {
  return toRow({ id: `phrasing-${number}`, repository: group, text, mentions, projects }, intent);
});

let [before, after, loss] = [0, 0, 0];
for (const repository of new Set(rows.map((row) => row.repository))) {
  const model = fit([...rows.filter((row) => row.repository !== repository), ...phrasings]);
  for (const row of rows.filter((one) => one.repository === repository)) {
    const odds = predict(row, model);
    before += Number(argMax(row.cues) === row.intent);
    after += Number(argMax(odds) === row.intent);
    loss -= Math.log(odds[row.intent]!);
  }
}
const share = (count: number) => `${((100 * count) / rows.length).toFixed(1)} %`;
console.log(`${rows.length} questions, each repository left out of the fit`);
console.log(
  `right: cues alone ${share(before)}, fitted ${share(after)}; loss ${(loss / rows.length).toFixed(3)}`,
);
writeFileSync(values.weights, formatModel(fit([...rows, ...phrasings])));

async function readRows(own: Question[]): Promise<Row[]> {
  const { repository, revision } = own[0]!;
  const repo = findRepository(folder!, repository);
  const opened = await openQuestionIndex(repo, revision, { name: repository, cache: values.cache });
  const sources = openSourceReader(repo, opened.index);
  const context = { repo, ...opened, sources, now: Date.parse('2026-10-01T00:00:00Z') / 1000 };
  const { projects } = await readManifestNames(context);
  const found: Row[] = [];
  for (const { id, kind, text } of own) {
    const mentions = await linkMentions(text, context);
    found.push(toRow({ id, repository, text, mentions, projects }, INTENT_OF_KIND[kind]!));
  }
  sources.close();
  return found;
}

function toRow(
  {
    id,
    repository,
    text,
    mentions,
    projects,
  }: { id: string; repository: string; text: string; mentions: Mention[]; projects: ReadonlySet<string> },
  intent: Intent,
): Row {
  const cues = new Map(weighCues(text).map((cue) => [cue.intent, cue.weight]));
  return {
    ...{ id, repository, intent: INTENTS.indexOf(intent) },
    cues: INTENTS.map((one) => (cues.get(one) ?? 0) + weighMentions(one, mentions)),
    features: questionFeatures(text, mentions, projects),
  };
}

/** Features of questions about several repositories, so that no name of one is learned. */
function vocabularyOf(data: readonly Row[]): string[] {
  const seen = new Map<string, { repositories: Set<string>; ids: Set<string> }>();
  for (const { id, repository, features } of data) {
    for (const feature of features.keys()) {
      const known = seen.get(feature) ?? { repositories: new Set(), ids: new Set() };
      known.repositories.add(repository);
      known.ids.add(id);
      seen.set(feature, known);
    }
  }
  return [...seen]
    .filter(([, { repositories, ids }]) => repositories.size >= MIN_REPOSITORIES && ids.size >= MIN_FACTS)
    .map(([feature]) => feature);
}

/** Fits by gradient descent with a rate of its own for each weight (Adagrad). */
function fit(data: readonly Row[]): Model {
  const model: Model = {
    scale: 1,
    biases: INTENTS.map(() => 0),
    features: new Map(vocabularyOf(data).map((feature) => [feature, INTENTS.map(() => 0)])),
  };
  const known = data.map((row) => [...row.features].filter(([feature]) => model.features.has(feature)));
  const groups = [model.biases, ...model.features.values()];
  const squares = new Map(groups.map((group) => [group, group.map(() => 1e-8)]));
  let scaleSquare = 1e-8;
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    const slopes = new Map(groups.map((group) => [group, group.map(() => 0)]));
    let scaleSlope = 0;
    data.forEach((row, number) => {
      const errors = predict(row, model, known[number]).map((odds, i) => odds - Number(i === row.intent));
      errors.forEach((error, i) => {
        scaleSlope += error * row.cues[i]!;
        slopes.get(model.biases)![i]! += error;
      });
      for (const [feature, strength] of known[number]!) {
        const slope = slopes.get(model.features.get(feature)!)!;
        for (let i = 0; i < errors.length; i++) slope[i]! += errors[i]! * strength;
      }
    });
    for (const [group, slope] of slopes) {
      const decay = group === model.biases ? BIAS_DECAY : DECAY;
      const square = squares.get(group)!;
      for (let i = 0; i < group.length; i++) {
        const step = slope[i]! / data.length + decay * group[i]!;
        square[i]! += step * step;
        group[i]! -= (RATE * step) / Math.sqrt(square[i]!);
      }
    }
    const step = scaleSlope / data.length;
    scaleSquare += step * step;
    model.scale -= (RATE * step) / 3 / Math.sqrt(scaleSquare);
  }
  return model;
}

/** Probability of each intent. */
function predict(
  { cues, features }: Row,
  { scale, biases, features: weights }: Model,
  known: Iterable<[string, number]> = features,
): number[] {
  const sums = cues.map((cue, i) => biases[i]! + scale * cue);
  for (const [feature, strength] of known) {
    const own = weights.get(feature);
    if (own) for (let i = 0; i < sums.length; i++) sums[i]! += own[i]! * strength;
  }
  const most = Math.max(...sums);
  const odds = sums.map((sum) => Math.exp(sum - most));
  const total = odds.reduce((sum, one) => sum + one, 0);
  return odds.map((one) => one / total);
}

function argMax(numbers: readonly number[]): number {
  return numbers.indexOf(Math.max(...numbers));
}

/** JSON with one feature a line. */
function formatModel({ scale, biases, features }: Model): string {
  const round = (value: number) => Number(value.toFixed(2));
  const lines = [...features]
    .map(([feature, weights]): [string, [number, number][]] => [
      feature,
      weights.flatMap((weight, i) =>
        Math.abs(weight) < MIN_WEIGHT ? [] : [[i, round(weight)] as [number, number]],
      ),
    ])
    .filter(([, weights]) => weights.length > 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([feature, weights]) => `    ${JSON.stringify(feature)}: ${JSON.stringify(weights)}`);
  return `{
  "intents": ${JSON.stringify(INTENTS)},
  "scale": ${round(scale)},
  "biases": ${JSON.stringify(biases.map(round))},
  "features": {
${lines.join(',\n')}
  }
}
`;
}
