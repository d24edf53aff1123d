import type { RunOutcome } from './runner.ts';

/** Outcome of a commit in a log of `git bisect`. */
interface LoggedRun {
  /** Full hash. */
  commit: string;
  outcome: RunOutcome;
}

/** A parsed log. Its claims are not trusted: `judgeBisectLog` compares its outcomes with the history. */
export interface BisectLog {
  /** Outcomes in their order; a commit may have several. */
  runs: LoggedRun[];
  /** First bad commit that the log claims; null where it claims none. */
  claimed: string | null;
}

const MAX_LOG_LINES = 20_000;
const MAX_LINE_LENGTH = 4_000;
const MAX_RUNS = 5_000;

const HASH = '([0-9a-f]{40}(?:[0-9a-f]{24})?)';
const COMMAND = new RegExp(`^git bisect (\\S{1,64}) '?${HASH}'?\\s*$`);
const START = /^git bisect start\b(.*)$/;
const CLAIM = new RegExp(`^# first (\\S{1,64}) commit: \\[${HASH}\\]`);
const TERM = /--term-(old|good|new|bad)[= ]'?([\w-]{1,64})'?/g;
const END = /'?\b([0-9a-f]{40}(?:[0-9a-f]{24})?)\b'?/g;

/**
 * Parses the output of `git bisect log`, with the terms that its start names:
 *
 *     git bisect start 'BAD' 'GOOD'
 *     # bad: [HASH] subject
 *     git bisect bad HASH
 *     # first bad commit: [HASH] subject
 *
 * Comments other than the claim are ignored, since subjects are free text. Returns null for a text without any outcome.
 */
export function parseBisectLog(text: string): BisectLog | null {
  const outcomes = new Map<string, RunOutcome>([
    ...(['good', 'old'] as const).map((term) => [term, 'good'] as const),
    ...(['bad', 'new'] as const).map((term) => [term, 'bad'] as const),
    ['skip', 'skip'],
  ]);
  const runs: LoggedRun[] = [];
  let claimed: string | null = null;
  for (const line of text.split(/\r?\n/, MAX_LOG_LINES)) {
    if (line.length > MAX_LINE_LENGTH || runs.length >= MAX_RUNS) continue;
    const [, start] = START.exec(line) ?? [];
    const [, word, commit] = COMMAND.exec(line) ?? [];
    const [, term, claim] = CLAIM.exec(line) ?? [];
    const outcome = word === undefined ? undefined : outcomes.get(word);
    if (start !== undefined) runs.push(...readStart(start, outcomes));
    else if (outcome && commit) runs.push({ commit, outcome });
    else if (claim && term && outcomes.get(term) === 'bad') claimed = claim;
  }
  return runs.length === 0 ? null : { runs, claimed };
}

/** Terms and ends of `git bisect start [--term-new=X] [BAD [GOOD…]] [-- PATH…]`. */
function readStart(words: string, outcomes: Map<string, RunOutcome>): LoggedRun[] {
  const [ends = ''] = words.split(/\s'?--'?(?:\s|$)/, 1);
  for (const [, kind, term] of ends.matchAll(TERM))
    outcomes.set(term!, kind === 'old' || kind === 'good' ? 'good' : 'bad');
  return Array.from(ends.matchAll(END), ([, commit], at) => ({
    commit: commit!,
    outcome: at === 0 ? 'bad' : 'good',
  }));
}
