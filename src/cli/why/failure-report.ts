import type { DebugAnswer, SimilarError } from '#contract/debug.ts';
import type { TestFailure, TestRunner } from '#test-reports/test-failure.ts';

/** Part of an answer that a report needs, as the server and a local repository give it. */
export type FailureAnswer = Pick<
  DebugAnswer,
  | 'solution'
  | 'confidence'
  | 'abstained'
  | 'kind'
  | 'place_confidence'
  | 'cause_confidence'
  | 'root_cause'
  | 'places'
  | 'suspect_commits'
  | 'related_commits'
  | 'context'
  | 'indexed_commit'
>;

/**
 * Commit behind a failure. `accused`: the answer names it as the cause. `changed_lines`, `changed_file`: a commit of the branch
 * that last changed the failing lines, or changed a file of the failure. `related`: an older commit that changed the place.
 */
export interface FailureCause {
  hash: string;
  message: string;
  author: string;
  timestamp: string;
  path: string | null;
  basis: 'accused' | 'changed_lines' | 'changed_file' | 'related';
  /** Null where the base of the branch is not known. */
  in_branch: boolean | null;
  /** Probability that it is the cause; null unless it is accused. */
  confidence: number | null;
}

/** An earlier fix of a similar error. */
interface EarlierFix {
  hash: string;
  message: string;
  author: string;
  timestamp: string;
  still_in_place: boolean | null;
}

/** Part of the code that failed. */
export interface FailurePlace {
  path: string;
  start_line: number;
  end_line: number;
  symbol: string | null;
}

/** Findings about one failing test. */
export interface FailureReport {
  test: string;
  runner: TestRunner | null;
  /** File of the test as printed. */
  file: string | null;
  /** First line of the error. */
  error: string;
  place: FailurePlace | null;
  /** Commits of the branch first. */
  causes: FailureCause[];
  earlier_fixes: EarlierFix[];
  abstained: boolean;
  confidence: number;
  /** The whole answer as Markdown. */
  solution: string;
}

/** An earlier fix that a commit of the branch removes. */
export interface RemovedFix {
  hash: string;
  message: string;
  fix: string;
  fix_message: string;
  /** File and line before the commit. */
  path: string;
  line: number;
}

/** Result of `hindsight why`. */
export interface WhyReport {
  failures: FailureReport[];
  /** All failures, with those that were not examined. */
  failure_count: number;
  base: { ref: string; commit: string; commits: number } | null;
  /** Earlier fixes that commits of the branch remove; empty without a base. */
  removed_fixes: RemovedFix[];
  notes: string[];
  /** Commit that was searched; empty when nothing failed. */
  indexed_commit: string;
  /** True when nothing is known about any failure. */
  abstained: boolean;
}

const MAX_FIXES = 3;

/** Builds the report of one failure. */
export function toFailureReport(
  failure: TestFailure,
  answer: FailureAnswer,
  causes: FailureCause[],
): FailureReport {
  const [place] = answer.places;
  const { abstained, confidence, solution } = answer;
  return {
    test: failure.name,
    runner: failure.runner,
    file: failure.file,
    error: errorLine(failure),
    place:
      place && !abstained
        ? {
            path: place.path,
            start_line: place.start_line,
            end_line: place.end_line,
            symbol: place.symbol ?? null,
          }
        : null,
    causes,
    earlier_fixes: answer.context.similar_errors.flatMap(toEarlierFix).slice(0, MAX_FIXES),
    abstained: abstained && causes.length === 0,
    confidence,
    solution,
  };
}

function toEarlierFix(similar: SimilarError): EarlierFix[] {
  const { hash, content, author = '', timestamp = '', still_in_place = null, session_id } = similar;
  return hash && !session_id
    ? [{ hash, message: content.split('\n')[0]!, author, timestamp, still_in_place }]
    : [];
}

const MAX_ERROR_LENGTH = 300;
const NOT_AN_ERROR = /^(?:at |File |❯|\d+ \||[>|^~-]|Traceback|=== |self = |def )/;

/** The line of a failure that says what went wrong. */
function errorLine({ text, name }: TestFailure): string {
  const lines = text
    .split('\n')
    .map((line) => line.replace(/^E {2,}/, '').trim())
    .filter((line) => line !== '');
  const typed = lines.find((line) => /^[\w.$:\\]*(?:Error|Exception|Failure|panic(?:ked)?)\b.*\S/.test(line));
  const line = typed ?? lines.find((one) => !NOT_AN_ERROR.test(one)) ?? lines[0] ?? name;
  // An assertion prints its values below.
  const next = line.endsWith(':') ? lines[lines.indexOf(line) + 1] : undefined;
  return `${line}${next ? ` ${next}` : ''}`.slice(0, MAX_ERROR_LENGTH);
}
