import type { ErrorKind, Evidence } from '#contract/debug.ts';
import type { PathMapping } from '#contract/project-settings.ts';
import type { ChangeIndex } from '#memory/changes/change-index.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { QueryEmbedding } from '#memory/vectors/passage-similarity.ts';
import { yieldIfDue } from '#scheduling/yield.ts';
import type { Query } from '#search/lexical/parse-query.ts';
import { type AccusedCommits, divideSuspects, MIN_CAUSE_CONFIDENCE } from './accused-commits.ts';
import type { Calibration } from './calibration.ts';
import { estimateCauseConfidence } from './cause-confidence.ts';
import { type ChangedLine, findChangedLine } from './changed/find-changed-line.ts';
import { collectHistory } from './collect-history.ts';
import { type ConfidenceEstimate, estimateConfidence } from './confidence.ts';
import { compareEnvironment, type EnvironmentReport } from './environment/compare-environment.ts';
import { collectEvidence } from './evidence.ts';
import { findPatch, type VerifiedPatch } from './fixes/find-patch.ts';
import { findPrecedents, type Precedent } from './fixes/find-precedents.ts';
import { findSimilarSessions, type PastSession, type SimilarSession } from './fixes/similar-sessions.ts';
import { type FoundGuard, findGuard } from './guard/find-guard.ts';
import { findGuardCommit } from './guard/guard-commit.ts';
import { findIntroducingCommit, type IntroducingCommit } from './history/introducing-commit.ts';
import { findCallerFailure } from './kind/caller-failure.ts';
import { type CallingFrames, findCallingFrames } from './kind/calling-frames.ts';
import { measureEnvironmentFeatures } from './kind/environment-features.ts';
import { decideKind, type ErrorExplanations, explainError, type KindEvidence } from './kind/error-kind.ts';
import { measureFaultFeatures } from './kind/fault-features.ts';
import {
  isForeign,
  isOwnMessage,
  isUnclear,
  isVague,
  matchProject,
  type ProjectMatch,
} from './kind/match-project.ts';
import { readReporterWords } from './kind/reporter-words.ts';
import { usedNames } from './kind/used-names.ts';
import { type ErrorReport, reportQuery, reportText } from './locate/error-report.ts';
import { analyzeErrorWords, type ErrorWords } from './locate/error-words.ts';
import { type FrameOwner, findFrameOwners } from './locate/frame-owners.ts';
import { readTemplateLines } from './locate/issue-templates.ts';
import { type LocatedError, type LocatedPlace, locate } from './locate/locate.ts';
import { findMessageOrigins, type MessageOrigin } from './locate/message-origin.ts';
import { readPackageNames } from './locate/package-names.ts';
import { applyPathMappings } from './locate/path-mappings.ts';
import { type PlacedFrame, placeFrames } from './locate/place-frames.ts';
import { withPrintedMessage } from './locate/printed-messages.ts';
import { resolvePrintedPath } from './locate/resolve-printed-path.ts';
import { openSourceReader, type SourceReader } from './locate/source-reader.ts';
import { type RankedSuspect, rankSuspects } from './suspects/rank-suspects.ts';
import { suspectsAfterTest } from './suspects/suspects-after-test.ts';
import { suspectsSince } from './suspects/suspects-since.ts';
import { errorFingerprint } from './trace/fingerprint.ts';
import { parseTrace } from './trace/read-trace.ts';
import type { Trace } from './trace/trace.ts';

export interface InvestigateDeps {
  /** Absolute path of the bare repository. */
  repo: string;
  index: RepositoryIndex;
  /** Index of changes; the rest is read from git. */
  hunks?: ChangeIndex | null;
  /** Embedding of the error. */
  embedding?: QueryEmbedding | null;
  sessions: PastSession[];
  /** Deployed folders by the project's settings. */
  pathMappings?: readonly PathMapping[] | undefined;
  /** Full hash of the commit of the release before the one in which the error is new: it and older commits are no suspects. */
  suspectsSince?: string | null | undefined;
  /** Fitted to earlier answers about this repository. */
  calibration?: Calibration;
  signal?: AbortSignal;
  /** ISO 8601. */
  now: string;
}

/** Findings with their reasons; `evidence` numbers them for citation. */
export interface Investigation extends AccusedCommits {
  revision: string;
  trace: Trace;
  fingerprint: string;
  frames: PlacedFrame[];
  origins: MessageOrigin[];
  places: LocatedPlace[];
  /** All ranked suspects; the answer names `accused` or `related` ones only. */
  suspects: RankedSuspect[];
  precedents: Precedent[];
  sessions: SimilarSession[];
  introduction: IntroducingCommit | null;
  patch: VerifiedPatch | null;
  confidence: ConfidenceEstimate;
  /** Probability that the first suspect caused the error; 0 without a suspect. */
  causeConfidence: number;
  kind: ErrorKind;
  guard: FoundGuard | null;
  /** Commit that added or last changed the guard. */
  guardCommit: number | null;
  /** Change of the failing line after the version that printed the error. */
  changed: ChangedLine | null;
  environment: EnvironmentReport;
  match: ProjectMatch;
  kindEvidence: KindEvidence;
  explanations: ErrorExplanations;
  caller: CallingFrames;
  evidence: Evidence[];
  /** Evidence id by finding: `evidenceOf.get(suspect)` is `e4`. */
  evidenceOf: Map<object, string>;
}

/**
 * Collects the evidence about an error: parses the trace, places its frames, finds the origin of the message, locates
 * files and lines, ranks suspect commits, and finds earlier fixes and a patch. Only reads the repository.
 */
export async function investigate(report: ErrorReport, deps: InvestigateDeps): Promise<Investigation> {
  const sources = openSourceReader(deps.repo, deps.index, deps.signal);
  try {
    return await collectFindings(report, deps, sources);
  } finally {
    sources.close();
  }
}

/** A report with its trace parsed and its files located, before the history is read. */
interface LocatedReport {
  query: Query;
  words: ErrorWords;
  trace: Trace;
  /** Of the trace as parsed, since another revision may have other words for the message. */
  fingerprint: string;
  frames: PlacedFrame[];
  origins: MessageOrigin[];
  located: LocatedError;
}

type AnalyzeDeps = Pick<InvestigateDeps, 'index' | 'embedding' | 'pathMappings' | 'signal'>;

/** Parses the error, places its frames, finds the origin of its message and ranks files. */
export async function analyzeError(
  report: ErrorReport,
  { index, embedding, pathMappings, signal }: AnalyzeDeps,
  sources: SourceReader,
): Promise<LocatedReport> {
  const parsed = parseTrace(report.error_message);
  const { code } = index;
  const [placed, origins, templates] = await Promise.all([
    placeFrames(parsed, { index, sources, pathMappings }),
    findMessageOrigins(parsed, { index, sources }),
    code ? readTemplateLines(code, sources) : new Set<string>(),
  ]);
  const trace = withPrintedMessage(parsed, origins);
  const frames = [...placed, ...reportedFileFrame(report, index, pathMappings)];
  const context = code ? { code, frames, templates } : undefined;
  const query = reportQuery(report, trace, context);
  const words = analyzeErrorWords(reportText(report, trace, context), index);
  const owners = findFrameOwners(trace, frames, code && (await readPackageNames(code, sources)));
  const used = findCallerFailure(trace, owners) ? usedNames(reportText(report, trace).split('\n')) : [];
  await yieldIfDue(signal);
  const located = await locate({
    query,
    words,
    frames,
    origins,
    used,
    index,
    embedding,
    sources,
    signal,
  });
  const fingerprint = errorFingerprint(parsed);
  return { query, words, trace, fingerprint, frames, origins, located };
}

async function collectFindings(
  report: ErrorReport,
  deps: InvestigateDeps,
  sources: SourceReader,
): Promise<Investigation> {
  const { repo, index, hunks, signal } = deps;
  const now = Date.parse(deps.now) / 1000;
  const error = await analyzeError(report, deps, sources);
  const { trace, fingerprint, query, words, frames, origins, located } = error;
  await yieldIfDue(signal);
  const { renames, candidates, fixes, blame, diffs } = await collectHistory(error, {
    repo,
    hunks,
    index,
    signal,
    now,
  });
  const common = { repo, hunks, index, query, diffs, located, renames, words, now, signal };

  await yieldIfDue(signal);
  const ranked = rankSuspects({ ...common, candidates, blamed: blame.commits });
  const tested = suspectsAfterTest(ranked, { frames, blamed: blame.commits }, index.commits);
  const suspects = suspectsSince(tested, deps.suspectsSince, index.commits);
  await yieldIfDue(signal);
  const confidence = estimateConfidence({ frames, origins, located, words, calibration: deps.calibration });
  const placeConfidence = confidence.value;
  // Ages count from the newest commit, since a project may rest for years.
  const newest = index.commits.time(0);
  const causeConfidence = estimateCauseConfidence({ ...common, now: newest, suspects, placeConfidence });
  const isSuspectLikely = causeConfidence >= MIN_CAUSE_CONFIDENCE;
  const precedents = await findPrecedents({ ...common, fixes, suspects, placeConfidence, isSuspectLikely });
  await yieldIfDue(signal);
  const packages = index.code && (await readPackageNames(index.code, sources));
  const owners = findFrameOwners(trace, frames, packages);
  const guard = await findGuard({ trace, frames, owners, origins, sources, code: index.code });
  const environment = await compareEnvironment(trace, { index, sources });
  const text = reportText(report, trace);
  const match = matchProject({ ...error, text, pasted: report.error_message, owners, packages, index });
  const guardCommit =
    guard && (await findGuardCommit(guard, { repo, hunks, index, renames, sources, signal }));
  const signs = { trace, owners, guard, words: readReporterWords(text, trace.message) };
  const machine = measureEnvironmentFeatures(environment, { trace, owners, guard, frames });
  const fault = await measureFaultFeatures({
    ...{ ...signs, text, environment, frames, sources, guardCommit, suspects, match, index },
    ...{ blamed: blame.commits, failsToLoad: machine.failsToLoad === 1 },
  });
  const kindEvidence = {
    ...{ fault, environment: machine },
    ...summarizeOwners({ match, environment, owners }),
    ...{
      isProgramError: match.frames > 0 || trace.errorType !== null,
      isGuarded: guard !== null && !guard.isInvariant,
      isUnlocated: confidence.abstained || isVague(match),
    },
  };
  const explanations = explainError(kindEvidence);
  const decided = decideKind(kindEvidence, explanations);
  await yieldIfDue(signal);
  const changed = CHANGES_WITH_CODE.has(decided)
    ? await findChangedLine({ ...{ trace, frames, owners, origins, sources, index }, repo, hunks, signal })
    : null;
  // What the project changed since is no mistake of a caller.
  const kind = changed ? 'regression' : decided;
  // What the project says in its own words may be an answer to its caller, which no patch should take away; what a caller alone
  // says names no line to patch.
  const isAnswer = kindEvidence.isGuarded || isOwnMessage(match) || match.callerFailure !== null;
  const divided = divideSuspects({
    ...{ kind, suspects, confidence, causeConfidence, guard, guardCommit, index },
    ...{ trace, places: located.places, frames, origins, renames, diffs },
    faultProbability: explanations.fault,
    isChanged: changed !== null,
    ...{ isInCaller: match.callerFailure !== null, failsToLoad: machine.failsToLoad === 1 },
  });
  const { accused } = divided;
  const patch =
    kind === 'regression' && !changed && !confidence.abstained && !isAnswer
      ? await findPatch({ ...common, precedents, accused, sources, guard })
      : null;
  const introduction = findIntroducingCommit(index, located.places[0], blame.oldest, now);

  const sessions = findSimilarSessions(report.error_message, deps.sessions);
  const findings = {
    ...{ frames, origins, places: located.places, precedents, introduction, changed, patch },
    ...divided,
  };
  return {
    revision: index.revision,
    trace,
    fingerprint,
    ...findings,
    suspects,
    sessions,
    confidence,
    causeConfidence,
    ...{ kind, guard, guardCommit, environment, match, kindEvidence, explanations },
    caller: findCallingFrames(trace, frames, owners),
    ...collectEvidence({ ...findings, kind }, index),
  };
}

/** Kinds that a change of the failing line explains. */
export const CHANGES_WITH_CODE = new Set<ErrorKind>(['regression', 'usage', 'guard']);

/** The parts of the evidence that say whose program an error is. */
function summarizeOwners({
  match,
  environment,
  owners,
}: {
  match: ProjectMatch;
  environment: EnvironmentReport;
  owners: readonly FrameOwner[];
}) {
  const isOutside = owners.some((owner) => owner === 'outside' || owner === 'dependency');
  return {
    isForeign: isForeign(match) && !isUnclear(match),
    isRuntimeOnly: environment.fault !== null && owners.length > 0 && !isOutside && match.hasLanguage,
    isReport: match.isWithoutTrace || owners.every((owner) => owner === 'mention'),
    isInCaller: owners.includes('outside') && !owners.includes('project'),
    callerFailure: match.callerFailure,
  };
}

/** The reported file as a frame without a line, if it is in the tree. */
function reportedFileFrame(
  { file_path }: ErrorReport,
  index: RepositoryIndex,
  pathMappings: readonly PathMapping[] = [],
): PlacedFrame[] {
  const printed = file_path?.trim().replaceAll('\\', '/');
  const mapped = printed && applyPathMappings(printed, pathMappings);
  const file = printed && index.code ? resolvePrintedPath(index.code, mapped || printed) : -1;
  if (file < 0 || !index.code || !printed) return [];
  const frame = { path: printed, line: null };
  return [
    {
      frame,
      depth: -1,
      file,
      path: index.code.filePath(file),
      line: null,
      hasMoved: false,
      isCertain: true,
      quote: '',
    },
  ];
}
