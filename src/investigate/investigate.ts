import type { Evidence } from '#contract/debug.ts';
import type { ChangeIndex } from '#memory/changes/change-index.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { QueryEmbedding } from '#memory/vectors/passage-similarity.ts';
import { yieldIfDue } from '#scheduling/yield.ts';
import type { Query } from '#search/query/parse-query.ts';
import type { Calibration } from './confidence/calibration.ts';
import { type ConfidenceEstimate, estimateConfidence } from './confidence/confidence.ts';
import { collectEvidence } from './evidence.ts';
import { collectHistory } from './history/collect-history.ts';
import { type IntroducingCommit, findIntroducingCommit } from './history/introducing-commit.ts';
import { type LocatedError, type LocatedPlace, locate } from './locate/locate.ts';
import { findMessageOrigins, type MessageOrigin } from './locate/message-origin.ts';
import { resolvePrintedPath, type PlacedFrame, placeFrames } from './locate/place-frames.ts';
import { findPatch, type VerifiedPatch } from './patch/find-patch.ts';
import { findPrecedents, type Precedent } from './precedents/find-precedents.ts';
import { type SimilarSession, findSimilarSessions, type PastSession } from './precedents/similar-sessions.ts';
import { type RankedSuspect, rankSuspects } from './suspects/rank-suspects.ts';
import { type ErrorReport, reportQuery, reportText } from './text/error-report.ts';
import { type ErrorWords, analyzeErrorWords } from './text/error-words.ts';
import { openSourceReader, type SourceReader } from './text/source-reader.ts';
import { errorFingerprint } from './trace/fingerprint.ts';
import { parseTrace } from './trace/read-trace.ts';
import type { Trace } from './trace/trace.ts';

/** What an investigation reads and how it is stopped. */
export interface InvestigateDeps {
  /** Absolute path of the bare repository. */
  repo: string;
  memory: RepositoryIndex;
  /** What is remembered of the changes; git is asked for what is not. */
  hunks?: ChangeIndex | null;
  /** What the error means to an embedding model, where there is one. */
  embedding?: QueryEmbedding | null;
  sessions: PastSession[];
  /** What is known of earlier answers about this repository. */
  calibration?: Calibration;
  signal?: AbortSignal;
  /** ISO 8601. */
  now: string;
}

/** Everything that was found, each finding with its reason; the same in `evidence`, numbered for citing. */
export interface Investigation {
  revision: string;
  trace: Trace;
  fingerprint: string;
  frames: PlacedFrame[];
  origins: MessageOrigin[];
  places: LocatedPlace[];
  suspects: RankedSuspect[];
  precedents: Precedent[];
  sessions: SimilarSession[];
  introduction: IntroducingCommit | null;
  patch: VerifiedPatch | null;
  confidence: ConfidenceEstimate;
  evidence: Evidence[];
  /** The evidence of a finding: `evidenceOf.get(suspect)` is `e4`. */
  evidenceOf: Map<object, string>;
}

/**
 * From an error to its evidence: reads the trace, places its frames, finds the code that makes the message, locates
 * files and lines, ranks the commits that could have caused it, finds earlier fixes and a patch that applies.
 * Pure but for reading the repository; never guesses beyond what it can quote.
 */
export async function investigate(report: ErrorReport, deps: InvestigateDeps): Promise<Investigation> {
  const sources = openSourceReader(deps.repo, deps.memory, deps.signal);
  try {
    return await collectFindings(report, deps, sources);
  } finally {
    sources.close();
  }
}

/** What is known of an error before the history is asked. */
export interface LocatedReport {
  query: Query;
  words: ErrorWords;
  trace: Trace;
  frames: PlacedFrame[];
  origins: MessageOrigin[];
  located: LocatedError;
}

/** Reads the error, places its frames, finds the code that makes its message and ranks files. */
export async function analyzeError(
  report: ErrorReport,
  { memory, embedding: meaning, signal }: Pick<InvestigateDeps, 'memory' | 'meaning' | 'signal'>,
  sources: SourceReader,
): Promise<LocatedReport> {
  const trace = parseTrace(report.error_message);
  const query = reportQuery(report, trace);
  const words = analyzeErrorWords(reportText(report, trace), memory);
  await yieldIfDue(signal);
  const [placed, origins] = await Promise.all([
    placeFrames(trace, { memory, sources }),
    findMessageOrigins(trace, { memory, sources }),
  ]);
  const frames = [...placed, ...reportedFileFrame(report, memory)];
  const located = await locate({ query, words, frames, origins, memory, embedding: meaning, sources, signal });
  return { query, words, trace, frames, origins, located };
}

async function collectFindings(
  report: ErrorReport,
  deps: InvestigateDeps,
  sources: SourceReader,
): Promise<Investigation> {
  const { repo, memory, hunks, signal } = deps;
  const now = Date.parse(deps.now) / 1000;
  const error = await analyzeError(report, deps, sources);
  const { trace, query, words, frames, origins, located } = error;
  await yieldIfDue(signal);
  const { renames: names, candidates, fixes, blame, diffs } = await collectHistory(error, {
    repo,
    hunks,
    memory,
    signal,
    now,
  });
  const common = { repo, hunks, memory, query, diffs, located, names, words, now, signal };

  await yieldIfDue(signal);
  const suspects = rankSuspects({ ...common, candidates, blamed: blame.commits });
  await yieldIfDue(signal);
  const precedents = await findPrecedents({ ...common, fixes, suspects });
  await yieldIfDue(signal);
  const confidence = estimateConfidence({ frames, origins, located, words, calibration: deps.calibration });
  const patch = confidence.abstained ? null : await findPatch({ ...common, precedents, suspects, sources });
  const birth = findIntroducingCommit(memory, located.places[0], blame.oldest, now);

  const sessions = findSimilarSessions(report.error_message, deps.sessions);
  const findings = { frames, origins, places: located.places, suspects, precedents, birth, patch };
  return {
    revision: memory.revision,
    trace,
    fingerprint: errorFingerprint(trace),
    ...findings,
    sessions,
    confidence,
    ...collectEvidence(findings, memory),
  };
}

/** The file that the person named, as a frame without a line, when the tree has it. */
function reportedFileFrame({ file_path }: ErrorReport, memory: RepositoryIndex): PlacedFrame[] {
  const printed = file_path?.trim();
  const file = printed && memory.code ? resolvePrintedPath(memory.code, printed.replaceAll('\\', '/')) : -1;
  if (file < 0 || !memory.code || !printed) return [];
  const frame = { path: printed, line: null };
  return [{ frame, depth: -1, file, path: memory.code.filePath(file), line: null, hasMoved: false, quote: '' }];
}
