import { openIndex } from '../src/memory/index/generation-reader.ts';
import type { RepositoryIndex } from '../src/memory/repository-index.ts';
import { parseQuery } from '../src/search/lexical/parse-query.ts';
import { rankPassages } from '../src/search/lexical/rank-documents.ts';
import { BEST } from './rivals/rival.ts';
import type { Built } from './speed-reading.ts';
import { ms, type Row, type Subject } from './speed-row.ts';
import { messages } from './speed-searching.ts';
import { percentile, timeOnce } from './speed-timing.ts';

/** Cost of a repository: CPU time in milliseconds, which other programs of the machine disturb least. */
export interface Cost {
  name: string;
  passages: number;
  commits: number;
  build: number;
  /** 95th percentile. */
  search: number;
}

/** Reading costs so many times as much a unit at most, to be called linear: repositories differ in more than size. */
const LINEAR = 1.5;
/** Words that a query has at least. */
const WORDS = 8;
/** Maximum message length in UTF-16 units: lengths differ between projects. */
const MAX_MESSAGE_LENGTH = 300;
/** Of so many queries one is measured. */
const SHARE = 4;

/** Cost of building and searching one repository. A first pass over a separate index warms up V8. */
export async function costOf(
  { name, queries }: Subject,
  built: Built,
  index: RepositoryIndex,
): Promise<Cost> {
  const all = messages(index, queries * SHARE, WORDS).map((message) => message.slice(0, MAX_MESSAGE_LENGTH));
  await searchTime(openIndex(index.shared), all);
  return {
    name,
    passages: index.code!.passageCount,
    commits: index.commits.count,
    build: built.processor,
    search: await searchTime(index, all),
  };
}

/** The 95th percentile of some queries, after the others, as in a server that is used. */
async function searchTime(index: RepositoryIndex, all: string[]): Promise<number> {
  const rank = (q: string) => rankPassages(index, parseQuery(q), { limit: BEST });
  for (const q of all.filter((_, i) => i % SHARE > 0)) rank(q);
  const measured = all.filter((_, i) => i % SHARE === 0);
  return percentile((await timeOnce(measured, rank)).processor, 0.95);
}

/** Each repository beside the smallest: how much more it costs, and how much larger it is. */
export function growthRows(costs: readonly Cost[]): Row[] {
  const [smallest, ...larger] = costs.toSorted((a, b) => a.passages - b.passages);
  return larger.flatMap((cost) => {
    const passages = cost.passages / smallest!.passages;
    const units = (cost.passages + cost.commits) / (smallest!.passages + smallest!.commits);
    const row = (what: string, of: 'build' | 'search', maxRatio: number): Row => ({
      what,
      repository: cost.name,
      ours: ms(cost[of]),
      rival: `${smallest!.name} ${ms(smallest![of])}`,
      ratio: cost[of] / smallest![of],
      goal: `≤ ${maxRatio.toPrecision(3)}`,
      met: cost[of] / smallest![of] <= maxRatio,
    });
    return [
      row(`growth: ranked search, p95, ${passages.toPrecision(3)} × the passages`, 'search', passages),
      row(`growth: built, ${units.toPrecision(3)} × the passages and commits`, 'build', units * LINEAR),
    ];
  });
}

/** The exponent of a power law through the points, by least squares of the logarithms: 1 is proportional. */
export function growthExponent(sizes: number[], values: number[]): number {
  const mean = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  const [xs, ys] = [sizes.map(Math.log), values.map(Math.log)];
  const [x, y] = [mean(xs), mean(ys)];
  const over = xs.reduce((sum, one, index) => sum + (one - x) * (ys[index]! - y), 0);
  return over / xs.reduce((sum, one) => sum + (one - x) ** 2, 0);
}
