import type { DiffSource } from '#evolution/read-diffs.ts';
import { blame } from '#git/blame.ts';
import type { CommitTable, RepositoryIndex } from '#memory/repository-index.ts';
import type { LocatedError, LocatedPlace } from '../locate/locate.ts';
import { type BlamedLine, blameFromIndex } from './blame-from-index.ts';
import type { RenameHistory } from './renames.ts';

/** A commit that blame finds near a place: the line closest to the focus that it changed last. */
export interface BlamedCommit {
  /** 1 for the focus line of the best place, lower with distance and for later places. */
  weight: number;
  /** True when the place is previous from a frame or the message, rather than by words alone. */
  isCertainPlace: boolean;
  /** Share of all blamed lines that it changed last. */
  share: number;
  /** True when it certainly changed the focus line itself last. */
  isExactLine: boolean;
  path: string;
  line: number;
  /** The line in the commit's own version of the file. */
  origin: { path: string; line: number };
}

/** Blame of the best places: commits by number, and the oldest line of the best place. */
export interface PlaceBlame {
  commits: Map<number, BlamedCommit>;
  oldest: { oid: string; line: number; path: string } | null;
}

const MAX_BLAMED_PLACES = 3;
/** Blamed lines above and below the focus: enough for most functions, and few enough to be fast. */
const CONTEXT_LINES = 12;
/** Blaming an old file may take seconds; the answer does without it then. */
const TIMEOUT_MS = 1_500;
/** Commits that git passes over. */
const MAX_IGNORED = 50;

export interface BlameDeps extends DiffSource {
  index: RepositoryIndex;
  renames: RenameHistory;
  /** Commits that are passed over, such as those that only format. */
  isSkipped?: (commit: number) => boolean;
  signal?: AbortSignal | undefined;
}

/**
 * Blames the lines around the focus of the best places, ignoring whitespace: from the index of changes, or by `git blame`
 * with a timeout where that index is incomplete.
 */
export async function blamePlaces(
  { places, texts }: Pick<LocatedError, 'places' | 'texts'>,
  deps: BlameDeps,
): Promise<PlaceBlame> {
  const { index } = deps;
  const best = places.slice(0, MAX_BLAMED_PLACES);
  const lists = await Promise.all(best.map((place) => blameAround(place, texts.get(place.path), deps)));
  const commits = new Map<number, BlamedCommit>();
  const each = 1 / Math.max(1, lists.flat().length);
  for (const [i, place] of best.entries()) {
    for (const line of lists[i]!) {
      const commit = index.commits.find(line.oid);
      if (commit < 0) continue;
      const weight = place.score * lineWeight(place, Math.abs(line.line - place.focus));
      const previous = commits.get(commit);
      const share = (previous?.share ?? 0) + each;
      if (previous && weight <= previous.weight) {
        previous.share = share;
        continue;
      }
      const origin = { path: line.originalPath, line: line.originalLine };
      const isExactLine = line.line === place.focus && line.isCertain;
      commits.set(commit, {
        weight,
        share,
        isCertainPlace: place.source !== 'words',
        isExactLine,
        path: place.path,
        line: place.focus,
        origin,
      });
    }
  }
  return { commits, oldest: oldestLine(best[0], lists[0] ?? []) };
}

/** A frame's line is certain; one found by words is a guess. */
function lineWeight(place: LocatedPlace, distance: number): number {
  const certainty = place.source === 'frame' ? 1 : place.source === 'origin' ? 0.7 : 0.4;
  return certainty / (1 + 0.35 * distance);
}

async function blameAround(
  place: LocatedPlace,
  lines: string[] | undefined,
  deps: BlameDeps,
): Promise<BlamedLine[]> {
  const { path, focus } = place;
  const from = Math.max(place.start, focus - CONTEXT_LINES, 1);
  const to = Math.max(from, Math.min(place.end, focus + CONTEXT_LINES));
  return await blameLineRange({ path, lines, from, to }, deps);
}

/** Blames lines from the index of changes, else by git; empty where both fail. */
export async function blameLineRange(
  { path, lines, from, to }: { path: string; lines: string[] | undefined; from: number; to: number },
  { repo, hunks, index, renames, isSkipped, signal }: BlameDeps,
): Promise<BlamedLine[]> {
  const paths = renames.allPaths(path);
  const indexed =
    hunks && lines && blameFromIndex({ paths, lines, ranges: [[from, to]], isSkipped }, index, hunks);
  if (indexed) return indexed;
  const ignored = isSkipped ? skippedCommits(paths, index.commits, isSkipped) : [];
  const range = { commit: index.revision, path, from, to, ignoreWhitespace: true, ignored };
  try {
    const blamed = await blame(repo, { ...range, timeoutMs: TIMEOUT_MS, signal });
    return blamed.map((line) => ({ ...line, isCertain: true }));
  } catch (error) {
    if (signal?.aborted) throw error;
    // Blame is optional evidence: it may time out, or the file may be one endless line.
    return [];
  }
}

function skippedCommits(
  paths: readonly string[],
  commits: CommitTable,
  isSkipped: (commit: number) => boolean,
): string[] {
  const numbers = paths.map((path) => commits.pathNumber(path)).filter((number) => number >= 0);
  const touching = new Set(numbers.flatMap((number) => [...commits.touching(number)]));
  return [...touching]
    .filter(isSkipped)
    .slice(0, MAX_IGNORED)
    .map((commit) => commits.oid(commit));
}

function oldestLine(place: LocatedPlace | undefined, lines: BlamedLine[]): PlaceBlame['oldest'] {
  if (!place || lines.length === 0) return null;
  const { oid, line } = lines.reduce((a, b) => (b.time < a.time ? b : a));
  return { oid, line, path: place.path };
}
