import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { diffBetween } from '../src/git/diff.ts';
import { collectHistory } from '../src/investigate/collect-history.ts';
import { analyzeError } from '../src/investigate/investigate.ts';
import { openSourceReader } from '../src/investigate/locate/source-reader.ts';
import { buildSuspectInput } from '../src/investigate/suspects/rank-suspects.ts';
import { measureSuspectSignals, scoreSuspects } from '../src/investigate/suspects/score-suspects.ts';
import type { SuspectInput } from '../src/investigate/suspects/suspect-signal.ts';
import { type ChangeIndex, openChangeIndex } from '../src/memory/changes/change-index.ts';
import { parseQuery } from '../src/search/lexical/parse-query.ts';
import { rankCommits } from '../src/search/lexical/rank-documents.ts';
import { type Instance, readOptions } from './options.ts';
import { measureCauses } from './rank-causes.ts';
import { type Revisited, revisit } from './revisions.ts';

/**
 * Ranks the ancestors of `base_commit` for the commit at fault, given the text only, beside recency and BM25 over
 * messages; with `--given fix`, given the fix as well. See README.md.
 *
 *     --hunks DIR   the product's change indexes, one folder `owner+name` a repository, which
 *                   bench/hunks-build.ts makes; where there is none, git is asked
 *
 * The folders know more than an instance may: what its index does not contain is skipped.
 */
const options = readOptions(['features', 'given', 'cache', 'hunks']);
const given = options.other.given === 'fix' ? 'fix' : 'text';
/** Long timeout for diffs and blame, since time is not measured here. */
const TIMEOUT_MS = 600_000;
/** Number of newest commits, or most similar messages, that a baseline names. */
const NAMED = 1_000;

const SYSTEMS = ['hindsight', 'messages', 'recency', 'candidates'] as const;
type Ranks = Record<(typeof SYSTEMS)[number], number>;

const answers: string[] = [];
const features: string[] = [];
const outcomes: { repo: string; ranks: Ranks }[] = [];

for await (const revisited of revisit(options, options.other.cache)) {
  const { instance, index } = revisited;
  const started = performance.now();
  const input = await (given === 'fix' ? candidatesWithFix(revisited) : candidatesOf(revisited));
  const values = measureSuspectSignals(input);
  const scores = scoreSuspects(values, input.commits.length, given);
  const ms = Math.round(performance.now() - started);
  const ranked = Array.from(scores.keys())
    .sort((a, b) => scores[b]! - scores[a]!)
    .map((i) => input.commits[i]!);
  const ranks = ranksOf(revisited, ranked);
  outcomes.push({ repo: instance.repo, ranks });
  const commits = ranked.slice(0, options.k).map((commit) => index.commits.oid(commit));
  answers.push(JSON.stringify({ instance_id: instance.instance_id, commits, ms }));
  if (options.other.features) features.push(featureLine(instance, input, values));
  console.error(`${instance.instance_id} ${ranks.hindsight} (${ms} ms)`);
}
write(options.out, answers);
write(options.other.features, features);
console.log(table());

async function candidatesOf({ instance, index, repo }: Revisited): Promise<SuspectInput> {
  const sources = openSourceReader(repo, index);
  try {
    const error = await analyzeError({ error_message: instance.problem_statement }, { index }, sources);
    const now = timeOf(instance, index);
    const hunks = hunksOf(instance);
    const found = await collectHistory(error, { repo, hunks, index, now, timeoutMs: TIMEOUT_MS });
    return buildSuspectInput({ ...error, ...found, index, now, blamed: found.blame.commits });
  } finally {
    sources.close();
  }
}

async function candidatesWithFix({ instance, index, repo }: Revisited): Promise<SuspectInput> {
  const diffs = await diffBetween(repo, instance.base_commit, instance.fix_commit!);
  const hunks = hunksOf(instance);
  const deps = { repo, hunks, index, now: timeOf(instance, index), timeoutMs: TIMEOUT_MS };
  return await measureCauses({ message: instance.problem_statement, diffs }, deps);
}

function hunksOf({ repo }: Instance): ChangeIndex | null {
  const folder = options.other.hunks;
  return folder === undefined ? null : openChangeIndex(join(folder, repo.replace('/', '+')));
}

function timeOf({ base_commit }: Instance, { commits }: Revisited['index']): number {
  return commits.time(commits.find(base_commit));
}

function ranksOf({ instance, index }: Revisited, ranked: number[]): Ranks {
  const { commits } = index;
  const gold = new Set(instance.gold_commits?.map((oid) => commits.find(oid)));
  const rankIn = (list: number[]) =>
    list.findIndex((commit) => gold.has(commit)) + 1 || Number.POSITIVE_INFINITY;
  const messages = rankCommits(index, parseQuery(instance.problem_statement), { limit: NAMED });
  const hindsight = rankIn(ranked);
  return {
    hindsight,
    messages: rankIn(messages.map(({ commit }) => commit)),
    recency: rankIn(Array.from({ length: Math.min(NAMED, commits.count) }, (_, commit) => commit)),
    candidates: Number.isFinite(hindsight) ? 1 : Number.POSITIVE_INFINITY,
  };
}

function featureLine(
  instance: Instance,
  input: SuspectInput,
  values: Record<string, ArrayLike<number>>,
): string {
  const { instance_id, repo } = instance;
  const names = Object.keys(values);
  const gold = new Set(instance.gold_commits);
  const labels = input.commits.map((commit) => Number(gold.has(input.index.commits.oid(commit))));
  const rows = input.commits.map((_, i) => names.map((name) => Number(values[name]![i]!.toFixed(5))));
  return JSON.stringify({ instance_id, repo, date: input.now, names, labels, rows });
}

function write(file: string | undefined | null, lines: string[]): void {
  if (file) writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
}

/** Markdown: Hit@k in per cent and MRR; `candidates` is the ceiling, whether the culprit was looked at at all. */
function table(): string {
  const lines = ['| cases | system | @1 | @5 | @10 | MRR |', '|---|---|---|---|---|---|'];
  const isGit = ({ repo }: { repo: string }) => repo === 'git/git';
  const groups = {
    all: outcomes,
    'git/git': outcomes.filter(isGit),
    others: outcomes.filter((outcome) => !isGit(outcome)),
  };
  for (const [group, outcomes] of Object.entries(groups)) {
    if (outcomes.length === 0) continue;
    for (const system of SYSTEMS) {
      const ranks = outcomes.map((outcome) => outcome.ranks[system]);
      const hit = (k: number) => ((100 * ranks.filter((rank) => rank <= k).length) / ranks.length).toFixed(1);
      const mrr = ranks.reduce((sum, rank) => sum + 1 / rank, 0) / ranks.length;
      const cells =
        system === 'candidates' ? [hit(1), '', '', ''] : [hit(1), hit(5), hit(10), mrr.toFixed(3)];
      lines.push(`| ${group} (${outcomes.length}) | ${system} | ${cells.join(' | ')} |`);
    }
  }
  return lines.join('\n');
}
