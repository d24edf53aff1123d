/** Ranking metrics of file lists over many instances. */
interface Scores {
  instances: number;
  /** Share of instances whose right files are all among the first 1, 3, 5 and 10. */
  at: Record<1 | 3 | 5 | 10, number>;
  /** Mean of one divided by the place of the first right file. */
  mrr: number;
}

/** Answer of one system for one instance. */
export interface Outcome {
  group: string;
  /** Places of the right files in the answer, counted from 1; infinite for those not in it. */
  places: number[];
}

/** Places of the right items in an answer. */
export function placesOf(answer: readonly string[], right: readonly string[]): number[] {
  return right.map((item) => {
    const index = answer.indexOf(item);
    return index === -1 ? Number.POSITIVE_INFINITY : index + 1;
  });
}

/** Strict Acc@k and MRR. */
export function score(outcomes: readonly Outcome[]): Scores {
  const share = (k: number) =>
    outcomes.filter(({ places }) => places.every((place) => place <= k)).length / (outcomes.length || 1);
  const reciprocals = outcomes.map(({ places }) => 1 / Math.min(...places));
  return {
    instances: outcomes.length,
    at: { 1: share(1), 3: share(3), 5: share(5), 10: share(10) },
    mrr: reciprocals.reduce((sum, value) => sum + value, 0) / (outcomes.length || 1),
  };
}

/** A Markdown table with a row for all outcomes and, where there are several groups, one for each. */
export function scoreTable(systems: Record<string, readonly Outcome[]>): string {
  const lines = ['| instances | system | @1 | @3 | @5 | @10 | MRR |', '|---|---|---|---|---|---|---|'];
  const groups = new Set(Object.values(systems).flatMap((outcomes) => outcomes.map(({ group }) => group)));
  for (const group of groups.size > 1 ? ['all', ...groups] : ['all']) {
    for (const [system, outcomes] of Object.entries(systems)) {
      const { instances, at, mrr } = score(outcomes.filter((o) => group === 'all' || o.group === group));
      const shares = Object.values(at).map((share) => (share * 100).toFixed(1));
      lines.push(`| ${group} (${instances}) | ${system} | ${shares.join(' | ')} | ${mrr.toFixed(3)} |`);
    }
  }
  return lines.join('\n');
}
