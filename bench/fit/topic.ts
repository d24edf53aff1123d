import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { firstLine } from '../../src/contract/first-line.ts';
import { hasCertainMatch } from '../../src/investigate/kind/match-project.ts';
import {
  MIN_TOPIC_PROBABILITY,
  measureTopic,
  type TermShare,
  type TopicFeatures,
} from '../../src/investigate/kind/report-topic.ts';
import { scoreProject } from '../../src/investigate/kind/score-project.ts';
import weights from '../../src/investigate/kind/topic-weights.json' with { type: 'json' };
import { sigmoid } from '../../src/investigate/locate/softmax.ts';
import { terms } from '../../src/memory/tokens.ts';
import { VAGUE_REPORTS } from '../calibration.ts';
import { findRepository, readOptions } from '../options.ts';
import { type Revisited, revisit } from '../revisions.ts';

/*
 * node bench/fit/topic.ts --data FILE… --repositories DIR [--cache DIR] [--ids FILE] [--weights yes]
 *
 * Collects the shares of commit messages that contain a term, over all repositories of the folder, and fits the probability that
 * a report in words is about the project, by logistic regression on reports asked in the repository they are of and in others. Prints
 * how many are declined with the shares and weights of the other repositories; `--weights` writes both.
 */
const SHARES = 'src/investigate/kind/term-shares.json';
const WEIGHTS = 'src/investigate/kind/topic-weights.json';
const MESSAGES = 3_000;
const MAX_MESSAGE_LENGTH = 2_000;
const MIN_REPOSITORIES = 5;
const MAX_BYTES = 2 ** 28;
/** Texts of other repositories an instance is asked with; of the first two also the first line. */
const FOREIGN = 4;
const FOREIGN_TITLES = 2;
/** Texts per instance: its own, its first line, and a complaint besides those of others. */
const TEXTS = FOREIGN + FOREIGN_TITLES + 3;
/** Further complaints that say nothing of a project. */
const COMPLAINTS = [
  ...VAGUE_REPORTS,
  'our application hangs from time to time and we have no idea why',
  'I followed the tutorial and it does not do what it says',
  'after upgrading everything is broken, it worked fine before',
  'the output is empty although the values are there',
  'works on my laptop, fails on the server, please advise',
  'it takes ages and then prints nothing',
  'some of the results are wrong, is this a bug?',
  'the page stays blank after the deploy',
  'what am I doing wrong?',
  'my script quits without any message since yesterday',
  'some data gets lost somewhere and nobody knows why',
  'it ignores my settings',
];
const RIDGE = 0.005;
const STEPS = 3_000;
const RATE = 1;

type Kind = 'whole' | 'title' | 'foreign' | 'foreign title' | 'vague';
const KIND_WEIGHTS: Record<Kind, number> = {
  whole: 1,
  title: 0.5,
  foreign: 0.5,
  'foreign title': 0.5,
  vague: 0.5,
};

interface Row {
  repo: string;
  /** Repository of the text; null for a complaint. */
  from: string | null;
  kind: Kind;
  /** True where frames, literals or names of packages decide before words do. */
  isCertain: boolean;
  isOwn: boolean;
  features: number[];
}

const options = readOptions(['cache', 'weights']);
const folder = process.argv[process.argv.indexOf('--repositories') + 1]!;
const sharesByRepository = collectShares();
const names = Object.keys(weights) as (keyof typeof weights)[];
const cachedShares = new Map<string, TermShare>();
const rows: Row[] = [];
for await (const revisited of revisit(options, options.other.cache)) rows.push(...(await measure(revisited)));
const fitted = rows.filter(({ isCertain }) => !isCertain);
printDeclined();
if (options.other.weights) save();

function collectShares(): Map<string, Map<string, number>> {
  const folders = readdirSync(folder).filter((name) => /^[^.]+\+/.test(name));
  return new Map(
    folders.map((name) => {
      const repository = name.replace('+', '/');
      const command = [
        '-C',
        findRepository(folder, repository),
        'log',
        `-${MESSAGES}`,
        '--no-merges',
        '--format=%B%x00',
      ];
      const log = execFileSync('git', command, { encoding: 'utf8', maxBuffer: MAX_BYTES });
      const messages = log.split('\0').filter((message) => message.trim() !== '');
      const counts = new Map<string, number>();
      for (const message of messages)
        for (const term of new Set(terms(message.slice(0, MAX_MESSAGE_LENGTH))))
          counts.set(term, (counts.get(term) ?? 0) + 1);
      const shared = [...counts].filter(([term, count]) => count >= 2 && !/^\d+$/.test(term));
      return [repository, new Map(shared.map(([term, count]) => [term, count / messages.length]))];
    }),
  );
}

/** Mean share of each term over the repositories except one, in powers of two. */
function averageShares(except?: string): Map<string, number> {
  const sums = new Map<string, { count: number; sum: number }>();
  const used = [...sharesByRepository].filter(([repository]) => repository !== except);
  for (const [term, share] of used.flatMap(([, shares]) => [...shares])) {
    const { count, sum } = sums.get(term) ?? { count: 0, sum: 0 };
    sums.set(term, { count: count + 1, sum: sum + share });
  }
  const common = [...sums].filter(([, { count }]) => count >= MIN_REPOSITORIES);
  return new Map(common.map(([term, { sum }]) => [term, 2 ** Math.round(Math.log2(sum / used.length))]));
}

async function measure({ instance, index, repo }: Revisited): Promise<Row[]> {
  const others = options.instances.filter((other) => other.repo !== instance.repo);
  const turn = rows.length / TEXTS;
  const foreign = Array.from(
    { length: FOREIGN },
    (_, at) => others[(turn * 7919 + at * 104_729) % others.length]!,
  );
  const own = { from: instance.repo, text: instance.problem_statement };
  const texts: { kind: Kind; from: string | null; text: string }[] = [
    { ...own, kind: 'whole' },
    { ...own, kind: 'title', text: firstLine(own.text.trim()) },
    ...foreign.map((other) => ({
      kind: 'foreign' as const,
      from: other.repo,
      text: other.problem_statement,
    })),
    ...foreign.slice(0, FOREIGN_TITLES).map((other) => {
      return {
        kind: 'foreign title' as const,
        from: other.repo,
        text: firstLine(other.problem_statement.trim()),
      };
    }),
    { kind: 'vague', from: null, text: COMPLAINTS[turn % COMPLAINTS.length]! },
  ];
  const shares = sharesElsewhere(instance.repo);
  return await Promise.all(
    texts.map(async ({ kind, from, text }) => {
      const match = await scoreProject({ error_message: text }, { repo, index });
      const topic = measureTopic(text, match.names, index, shares);
      const features = names.map((name) => (name === 'bias' ? 1 : topic[name as keyof TopicFeatures]));
      const isOwn = from === instance.repo;
      return { ...{ repo: instance.repo, from, kind, isOwn, features }, isCertain: hasCertainMatch(match) };
    }),
  );
}

function sharesElsewhere(repository: string): TermShare {
  const cached = cachedShares.get(repository);
  if (cached) return cached;
  const shares = averageShares(repository);
  const share = (term: string) => shares.get(term) ?? 0;
  cachedShares.set(repository, share);
  return share;
}

function printDeclined(): void {
  const stated = new Map<Row, number>();
  for (const repo of new Set(rows.map((row) => row.repo))) {
    const others = fit(fitted.filter((row) => row.repo !== repo && row.from !== repo));
    for (const row of rows)
      if (row.repo === repo) stated.set(row, row.isCertain ? 1 : probability(row, others));
  }
  const kinds = Object.keys(KIND_WEIGHTS) as Kind[];
  console.log(`| about the project from | ${kinds.join(' | ')} |\n|---|${kinds.map(() => '--:|').join('')}`);
  for (const threshold of [0.2, 0.24, MIN_TOPIC_PROBABILITY, 0.32, 0.4, 0.5]) {
    const cells = kinds.map((kind) => {
      const group = rows.filter((row) => row.kind === kind);
      return `${group.filter((row) => stated.get(row)! < threshold).length} of ${group.length}`;
    });
    console.log(`| ${[threshold, ...cells].join(' | ')} |`);
  }
}

function probability({ features }: Row, fittedWeights: readonly number[]): number {
  return sigmoid(features.reduce((sum, value, i) => sum + value * fittedWeights[i]!, 0));
}

/** Minimises the weighted logistic loss + ridge · |w|² by descent on standardized features; convex, and nothing is random. */
function fit(some: readonly Row[]): number[] {
  const mean = names.map((_, i) => some.reduce((sum, { features }) => sum + features[i]!, 0) / some.length);
  const scale = names.map((name, i) =>
    name === 'bias'
      ? 1
      : Math.sqrt(
          some.reduce((sum, { features }) => sum + (features[i]! - mean[i]!) ** 2, 0) / some.length,
        ) || 1,
  );
  const center = names.map((name, i) => (name === 'bias' ? 0 : mean[i]!));
  const cases = some.map((row) => ({
    values: row.features.map((value, i) => (value - center[i]!) / scale[i]!),
    weight: KIND_WEIGHTS[row.kind],
    target: Number(row.isOwn),
  }));
  const total = cases.reduce((sum, { weight }) => sum + weight, 0);
  const found = names.map(() => 0);
  for (let step = 0; step < STEPS; step++) {
    const slope = names.map((name, i) => (name === 'bias' ? 0 : 2 * RIDGE * found[i]!));
    for (const { values, weight, target } of cases) {
      const gap = sigmoid(values.reduce((sum, value, i) => sum + value * found[i]!, 0)) - target;
      values.forEach((value, i) => {
        slope[i]! += (weight * gap * value) / total;
      });
    }
    for (let i = 0; i < found.length; i++) found[i]! -= RATE * slope[i]!;
  }
  const plain = found.map((weight, i) => weight / scale[i]!);
  const shift = plain.reduce((sum, weight, i) => sum + weight * center[i]!, 0);
  return plain.map((weight, i) => (names[i] === 'bias' ? weight - shift : weight));
}

function save(): void {
  const levels: string[][] = [];
  for (const [term, share] of averageShares()) {
    levels[-Math.log2(share)] ??= [];
    levels[-Math.log2(share)]!.push(term);
  }
  const joined = Array.from(levels, (level) => (level ?? []).toSorted().join(' '));
  writeFileSync(SHARES, `${JSON.stringify({ levels: joined }, null, 2)}\n`);
  const all = fit(fitted);
  const rounded = Object.fromEntries(names.map((name, i) => [name, Number(all[i]!.toFixed(3))]));
  writeFileSync(WEIGHTS, `${JSON.stringify(rounded, null, 2)}\n`);
  console.log(JSON.stringify(rounded));
}
