import { upperBound } from '#memory/bytes/binary-search.ts';
import type { Authors } from './authors.ts';
import { CHANGE_KINDS, type HistoryFacts } from './history-facts.ts';
import type { ScopedChanges } from './scoped-changes.ts';

/** Commits of one period. */
interface ActivityPeriod {
  /** Seconds since 1970. */
  start: number;
  commits: number;
  /** Of them, those of programs. */
  bots: number;
  people: number;
  fixes: number;
  reverts: number;
}

/** A person, or a program, with the commits of each period. */
interface Contributor {
  name: string;
  commits: number;
  /** Author times of the first and the last commit in the scope. */
  first: number;
  last: number;
  counts: number[];
}

interface Activity {
  periods: ActivityPeriod[];
  people: Contributor[];
  bots: Contributor[];
  /** People whose first commit to the project lies in the scope. */
  newPeople: number;
}

interface ActivityOptions {
  facts: HistoryFacts;
  authors: Authors;
  /** Starts of the periods, ascending. */
  starts: Float64Array;
  /** Start of the scope, at or after that of the first period. */
  from: number;
}

/** Counts commits and people by period. Contributors are listed by commits, most first. */
export function measureActivity(
  { commits }: ScopedChanges,
  { facts, authors, starts, from }: ActivityOptions,
): Activity {
  const { times, kinds } = facts;
  const periods = Array.from(starts, (start) => ({
    start,
    commits: 0,
    bots: 0,
    people: 0,
    fixes: 0,
    reverts: 0,
  }));
  const contributors = new Map<number, Contributor>();
  for (const commit of commits) {
    const position = upperBound(starts, times[commit]!) - 1;
    const period = periods[position];
    if (!period) continue;
    const author = authors.authorOf[commit]!;
    const contributor =
      contributors.get(author) ?? createContributor(authors.names[author]!, times[commit]!, starts.length);
    contributors.set(author, contributor);
    contributor.commits++;
    contributor.last = times[commit]!;
    period.commits++;
    if (authors.bots[author]) period.bots++;
    else if (contributor.counts[position] === 0) period.people++;
    contributor.counts[position]!++;
    if (kinds[commit] === CHANGE_KINDS.fix) period.fixes++;
    if (kinds[commit] === CHANGE_KINDS.revert) period.reverts++;
  }
  const debuts = firstCommitTimes(facts, authors);
  const sorted = [...contributors].sort(([, a], [, b]) => b.commits - a.commits || b.last - a.last);
  const select = (bot: boolean) => sorted.filter(([author]) => authors.bots[author] === bot);
  return {
    periods,
    people: select(false).map(([, person]) => person),
    bots: select(true).map(([, bot]) => bot),
    newPeople: select(false).filter(([author]) => debuts[author]! >= from).length,
  };
}

function createContributor(name: string, time: number, periods: number): Contributor {
  return { name, commits: 0, first: time, last: time, counts: new Array<number>(periods).fill(0) };
}

/** Author number → time of the first commit in the whole history. */
function firstCommitTimes({ times }: HistoryFacts, { names, authorOf }: Authors): Float64Array {
  const debuts = new Float64Array(names.length).fill(Number.POSITIVE_INFINITY);
  times.forEach((time, commit) => {
    const author = authorOf[commit]!;
    if (time < debuts[author]!) debuts[author] = time;
  });
  return debuts;
}
