import { writeFileSync } from 'node:fs';
import { isFixCommit } from '../src/evolution/fixes.ts';
import { collectHistory } from '../src/investigate/collect-history.ts';
import { measureFixes, rankFixes } from '../src/investigate/fixes/find-precedents.ts';
import { followRenames } from '../src/investigate/history/renames.ts';
import { analyzeError } from '../src/investigate/investigate.ts';
import { openSourceReader } from '../src/investigate/locate/source-reader.ts';
import { measureSuspectSignals } from '../src/investigate/suspects/score-suspects.ts';
import { parseQuery } from '../src/search/lexical/parse-query.ts';
import { rankCommits } from '../src/search/lexical/rank-documents.ts';
import { readOptions } from './options.ts';
import { type Revisited, revisit } from './revisions.ts';

/**
 * Ranks earlier fixes for a statement. One is relevant when it changed a file that the new fix will change; cases
 * without any are left out. Beside BM25 over messages, recency, and chance. See README.md.
 */
const options = readOptions(['features', 'cache']);
const TIMEOUT_MS = 600_000;
/** Fixes that each system names. */
const NAMED = 10;
const READ_BY_BASELINE = 2_000;

const SYSTEMS = ['hindsight', 'messages', 'recency', 'candidates'] as const;
type Ranks = Record<(typeof SYSTEMS)[number], number>;

const answers: string[] = [];
const features: string[] = [];
const outcomes: { group: string; ranks: Ranks; chance: number }[] = [];

for await (const revisited of revisit(options, options.other.cache)) {
  const { instance, index } = revisited;
  const { relevant, fixes } = relevantFixes(revisited);
  if (relevant.size === 0) continue;
  const input = await candidatesOf(revisited);
  const ranked = rankFixes(input).map((i) => input.commits[i]!);
  const ranks = ranksOf(revisited, ranked, relevant);
  outcomes.push({ group: instance.language, ranks, chance: chanceOf(relevant.size, fixes) });
  const commits = ranked.slice(0, NAMED).map((commit) => index.commits.oid(commit));
  answers.push(JSON.stringify({ instance_id: instance.instance_id, commits }));
  if (options.other.features) {
    const values = measureSuspectSignals(input);
    const names = Object.keys(values);
    const labels = input.commits.map((commit) => Number(relevant.has(commit)));
    const rows = input.commits.map((_, i) => names.map((name) => Number(values[name]![i]!.toFixed(5))));
    const { instance_id, repo } = instance;
    features.push(JSON.stringify({ instance_id, repo, date: input.now, names, labels, rows }));
  }
  console.error(`${instance.instance_id} ${ranks.hindsight}`);
}
write(options.out, answers);
write(options.other.features, features);
console.log(table());

/** Fixes that changed one of the gold files, under any of its names, and how many fixes there are in all. */
function relevantFixes({ instance, index }: Revisited): { relevant: Set<number>; fixes: number } {
  const { commits } = index;
  const names = followRenames(instance.gold_files, commits);
  const paths = instance.gold_files
    .flatMap((path) => names.allPaths(path))
    .map((path) => commits.pathNumber(path));
  const touching = new Set(paths.flatMap((path) => (path < 0 ? [] : [...commits.touching(path)])));
  const relevant = new Set([...touching].filter((commit) => isFixCommit(index, commit)));
  let fixes = 0;
  for (let commit = 0; commit < Math.min(commits.count, READ_BY_BASELINE); commit++)
    if (isFixCommit(index, commit)) fixes++;
  return { relevant, fixes: (fixes * commits.count) / Math.min(commits.count, READ_BY_BASELINE) };
}

/** Probability that five fixes drawn at random hold a relevant one. */
function chanceOf(relevant: number, fixes: number): number {
  return 1 - (1 - Math.min(1, relevant / Math.max(1, fixes))) ** 5;
}

async function candidatesOf({ instance, index, repo }: Revisited) {
  const sources = openSourceReader(repo, index);
  try {
    const now = index.commits.time(index.commits.find(instance.base_commit));
    const error = await analyzeError({ error_message: instance.problem_statement }, { index }, sources);
    const found = await collectHistory(error, { repo, index, now, timeoutMs: TIMEOUT_MS });
    return measureFixes({ ...error, ...found, index, now });
  } finally {
    sources.close();
  }
}

function ranksOf({ instance, index }: Revisited, ranked: number[], relevant: Set<number>): Ranks {
  const rankIn = (list: number[]) =>
    list.findIndex((commit) => relevant.has(commit)) + 1 || Number.POSITIVE_INFINITY;
  const fixesOf = (list: Iterable<number>) => {
    const found: number[] = [];
    for (const commit of list) {
      if (found.length === NAMED) break;
      if (isFixCommit(index, commit)) found.push(commit);
    }
    return found;
  };
  const byMessage = rankCommits(index, parseQuery(instance.problem_statement), { limit: READ_BY_BASELINE });
  return {
    hindsight: rankIn(ranked),
    messages: rankIn(fixesOf(byMessage.map(({ commit }) => commit))),
    recency: rankIn(fixesOf(Array.from({ length: index.commits.count }, (_, commit) => commit))),
    candidates: ranked.some((commit) => relevant.has(commit)) ? 1 : Number.POSITIVE_INFINITY,
  };
}

function write(file: string | undefined | null, lines: string[]): void {
  if (file) writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
}

/** Markdown: share of cases with a relevant fix among the first 1, 3, 5; `candidates` is the ceiling. */
function table(): string {
  const lines = ['| cases | system | @1 | @3 | @5 |', '|---|---|---|---|---|'];
  const groups = Map.groupBy(outcomes, ({ group }) => group);
  for (const [group, some] of [['all', outcomes] as const, ...(groups.size > 1 ? groups : [])]) {
    for (const system of SYSTEMS) {
      const share = (k: number) =>
        ((100 * some.filter(({ ranks }) => ranks[system] <= k).length) / some.length).toFixed(1);
      const cells = system === 'candidates' ? [share(1), '', ''] : [share(1), share(3), share(5)];
      lines.push(`| ${group} (${some.length}) | ${system} | ${cells.join(' | ')} |`);
    }
    const chance = (100 * some.reduce((sum, { chance }) => sum + chance, 0)) / some.length;
    lines.push(`| ${group} (${some.length}) | chance | | | ${chance.toFixed(1)} |`);
  }
  return lines.join('\n');
}
