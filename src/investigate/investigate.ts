import type { Evidence } from '#contract/debug.ts';
import type { FileDiff } from '#contract/projects.ts';
import { readDiffs } from '#evolution/diffs.ts';
import type { Memory } from '#memory/memory.ts';
import type { Query } from '#search/query.ts';
import { rankCommits } from '#search/rank.ts';
import { type Birth, findBirth } from './birth.ts';
import { blamePlaces } from './blame-places.ts';
import { type Confidence, weighConfidence } from './confidence.ts';
import { type ErrorReport, searchQuery, searchText } from './error-text.ts';
import { collectEvidence } from './evidence.ts';
import { fingerprint } from './fingerprint.ts';
import { type FormerNames, findFormerNames } from './former-names.ts';
import { type Located, type LocatedPlace, locate } from './locate.ts';
import { findOrigins, type Origin } from './origin.ts';
import { findFile, type PlacedFrame, placeFrames } from './place.ts';
import { findPrecedents, type Precedent } from './precedents.ts';
import { type AlikeSession, alikeSessions, type PastSession } from './sessions.ts';
import { openSourceText, type SourceText } from './source-text.ts';
import { type Candidate, type RankedSuspect, rankSuspects } from './suspects.ts';
import { readTrace } from './trace/read-trace.ts';
import type { Trace } from './trace/trace.ts';
import { findPatch, type VerifiedPatch } from './verify-patch.ts';
import { type ErrorWords, enough, likeness, readErrorWords } from './words.ts';

/** What an investigation reads and how it is stopped. */
export interface InvestigateDeps {
  /** Absolute path of the bare repository. */
  repo: string;
  memory: Memory;
  sessions: PastSession[];
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
  origins: Origin[];
  places: LocatedPlace[];
  suspects: RankedSuspect[];
  precedents: Precedent[];
  sessions: AlikeSession[];
  birth: Birth | null;
  patch: VerifiedPatch | null;
  confidence: Confidence;
  evidence: Evidence[];
  /** The evidence of a finding: `evidenceOf.get(suspect)` is `e4`. */
  evidenceOf: Map<object, string>;
}

/** Commits that are compared by their hunks: in the prototype the culprit was among so many in 86 % of cases. */
const CANDIDATES = 250;
/** Newest commits of each of the best files that are candidates whatever their message says. */
const NEWEST_OF_FILE = 40;
const FILES_FOR_CANDIDATES = 5;
/** Located files whose diffs are read. */
const FILES_FOR_HUNKS = 12;

/**
 * From an error to its evidence: reads the trace, places its frames, finds the code that makes the message, locates
 * files and lines, ranks the commits that could have caused it, finds earlier fixes and a patch that applies.
 * Pure but for reading the repository; never guesses beyond what it can quote.
 */
export async function investigate(report: ErrorReport, deps: InvestigateDeps): Promise<Investigation> {
  const sources = openSourceText(deps.repo, deps.memory, deps.signal);
  try {
    return await gather(report, deps, sources);
  } finally {
    sources.close();
  }
}

async function gather(
  report: ErrorReport,
  deps: InvestigateDeps,
  sources: SourceText,
): Promise<Investigation> {
  const { repo, memory, signal } = deps;
  const now = Date.parse(deps.now) / 1000;
  const trace = readTrace(report.error_message);
  const query = searchQuery(report, trace);
  const words = readErrorWords(searchText(report, trace), memory);

  const [placed, origins] = await Promise.all([
    placeFrames(trace, { memory, sources }),
    findOrigins(trace, { memory, sources }),
  ]);
  const frames = [...placed, ...namedFile(report, memory)];
  const located = await locate({ query, words, frames, origins, memory, sources });

  const blamed = blamePlaces(located.places, { repo, memory, signal });
  const storied = located.files.slice(0, FILES_FOR_HUNKS).map(({ path }) => path);
  const names = await findFormerNames(storied, deps);
  const known = chooseCandidates(memory, { query, words, located, names });
  const [blame, diffs] = await Promise.all([
    blamed,
    readCandidates(
      known,
      storied.flatMap((path) => names.all(path)),
      deps,
    ),
  ]);
  const candidates = withBlamed(known, blame.commits.keys());
  const common = { repo, memory, diffs, located, names, words, now, signal, candidates };

  const suspects = await withHunks(rankSuspects({ ...common, blamed: blame.commits }), deps);
  const precedents = await findPrecedents(common);
  const confidence = weighConfidence({ frames, origins, located, suspects, precedents });
  const patch = confidence.abstained ? null : await findPatch({ ...common, precedents, suspects, sources });
  const birth = findBirth(memory, located.places[0], blame.oldest, now);

  const sessions = alikeSessions(report.error_message, deps.sessions);
  const findings = { frames, origins, places: located.places, suspects, precedents, birth, patch };
  return {
    revision: memory.revision,
    trace,
    fingerprint: fingerprint(trace),
    ...findings,
    sessions,
    confidence,
    ...collectEvidence(findings, memory),
  };
}

/** The file that the person named, as a frame without a line, when the tree has it. */
function namedFile({ file_path }: ErrorReport, memory: Memory): PlacedFrame[] {
  const printed = file_path?.trim();
  const file = printed && memory.code ? findFile(memory.code, printed.replaceAll('\\', '/')) : -1;
  if (file < 0 || !memory.code || !printed) return [];
  const frame = { path: printed, line: null };
  return [{ frame, depth: -1, file, path: memory.code.filePath(file), line: null, moved: false, quote: '' }];
}

interface ChooseInput {
  query: Query;
  words: ErrorWords;
  located: Located;
  names: FormerNames;
}

/** Commits by the likeness of their message, and the newest of the best files. */
function chooseCandidates(memory: Memory, { query, words, located, names }: ChooseInput): Candidate[] {
  const ranked = rankCommits(memory, query, { limit: CANDIDATES });
  const highest = ranked[0]?.score || 1;
  const messages = new Map<number, number>();
  for (const { commit, score } of ranked) {
    const { mass } = likeness(words, memory.commits.message(commit));
    messages.set(commit, (score / highest) * enough(mass));
  }
  for (const { path } of located.files.slice(0, FILES_FOR_CANDIDATES)) {
    const numbers = names.all(path).map((name) => memory.commits.pathNumber(name));
    const touching = numbers.flatMap((number) => (number < 0 ? [] : [...memory.commits.touching(number)]));
    for (const commit of touching.slice(0, NEWEST_OF_FILE)) {
      if (!messages.has(commit)) messages.set(commit, 0);
    }
  }
  return Array.from(messages, ([commit, message]) => ({ commit, message }));
}

function withBlamed(candidates: Candidate[], blamed: Iterable<number>): Candidate[] {
  const known = new Set(candidates.map(({ commit }) => commit));
  const more = Array.from(blamed).filter((commit) => !known.has(commit));
  return [...candidates, ...more.map((commit) => ({ commit, message: 0 }))];
}

/** Diffs of the candidates at these paths. */
async function readCandidates(
  candidates: Candidate[],
  paths: string[],
  { repo, memory, signal }: InvestigateDeps,
): Promise<Map<string, FileDiff[]>> {
  const { commits } = memory;
  const numbers = new Set(paths.map((path) => commits.pathNumber(path)));
  const touching = candidates.filter(({ commit }) => commits.paths(commit).some((path) => numbers.has(path)));
  return await readDiffs(
    repo,
    touching.map(({ commit }) => commits.oid(commit)),
    { paths, signal },
  );
}

/** Reads the hunks of shown suspects that touched none of the located files, so that each is shown with one. */
async function withHunks(suspects: RankedSuspect[], { repo, memory, signal }: InvestigateDeps) {
  const without = suspects
    .filter(({ hunk }) => hunk === null)
    .map(({ commit }) => memory.commits.oid(commit));
  const diffs = await readDiffs(repo, without, { signal });
  return suspects.map((suspect) => {
    const files = suspect.hunk ? [] : (diffs.get(memory.commits.oid(suspect.commit)) ?? []);
    const file =
      files.find(({ new_path }) => new_path === suspect.path) ?? files.find(({ hunks }) => hunks.length > 0);
    const hunk = file?.hunks[0];
    return hunk ? { ...suspect, hunk, path: file.new_path ?? file.old_path } : suspect;
  });
}
