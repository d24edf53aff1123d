import type { DiffSource } from '#evolution/read-diffs.ts';
import { blame } from '#git/blame.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { LocatedError, LocatedPlace } from '../locate/locate.ts';
import { blameFromIndex, type BlamedLine } from './blame-from-index.ts';
import type { RenameHistory } from './renames.ts';

/** What blame says of a commit: the line nearest to a place's focus that it changed last. */
export interface BlamedCommit {
  /** 1 for the very line of the best place, less with distance and for later places. */
  weight: number;
  /** The place is known by a frame or by the message, not by words alone. */
  isCertainPlace: boolean;
  /** Share of all blamed lines that it wrote. */
  share: number;
  /** It is the very line of the place, and certainly this commit's. */
  isExactLine: boolean;
  path: string;
  line: number;
  /** Where that line stands in the commit itself. */
  origin: { path: string; line: number };
}

/** The blame of the best places: commits by weight, and the oldest line at the best place. */
export interface PlaceBlame {
  commits: Map<number, BlamedCommit>;
  oldest: { oid: string; line: number; path: string } | null;
}

const MAX_BLAMED_PLACES = 3;
/** Lines around the focus that are blamed: most functions, and little enough to be quick. */
const CONTEXT_LINES = 12;
/** Blame of an old file may take seconds; an answer rather does without. */
const TIMEOUT_MS = 1_500;

interface BlameDeps extends DiffSource {
  memory: RepositoryIndex;
  names: RenameHistory;
  signal?: AbortSignal | undefined;
}

/**
 * Who wrote the lines around the focus of the best places, blanks ignored: from the remembered changes, or where these
 * are not all there by git's blame, with a time limit.
 */
export async function blamePlaces(
  { places, texts }: Pick<LocatedError, 'places' | 'texts'>,
  deps: BlameDeps,
): Promise<PlaceBlame> {
  const { memory } = deps;
  const best = places.slice(0, MAX_BLAMED_PLACES);
  const lists = await Promise.all(best.map((place) => blameAround(place, texts.get(place.path), deps)));
  const commits = new Map<number, BlamedCommit>();
  const each = 1 / Math.max(1, lists.flat().length);
  for (const [index, place] of best.entries()) {
    for (const line of lists[index]!) {
      const commit = memory.commits.find(line.oid);
      if (commit < 0) continue;
      const weight = place.score * lineWeight(place, Math.abs(line.line - place.focus));
      const known = commits.get(commit);
      const share = (known?.share ?? 0) + each;
      if (known && weight <= known.weight) {
        known.share = share;
        continue;
      }
      const origin = { path: line.originalPath, line: line.originalLine };
      const exact = line.line === place.focus && line.isCertain;
      commits.set(commit, {
        weight,
        share,
        isCertainPlace: place.source !== 'words',
        isExactLine: exact,
        path: place.path,
        line: place.focus,
        origin,
      });
    }
  }
  return { commits, oldest: oldestLine(best[0], lists[0] ?? []) };
}

/** A frame's line is certain, a line found by words is a guess. */
function lineWeight(place: LocatedPlace, distance: number): number {
  const sure = place.source === 'frame' ? 1 : place.source === 'origin' ? 0.7 : 0.4;
  return sure / (1 + 0.35 * distance);
}

async function blameAround(
  place: LocatedPlace,
  lines: string[] | undefined,
  { repo, hunks, memory, names, signal }: BlameDeps,
): Promise<BlamedLine[]> {
  const { path, focus } = place;
  const from = Math.max(place.start, focus - CONTEXT_LINES, 1);
  const to = Math.max(from, Math.min(place.end, focus + CONTEXT_LINES));
  const remembered =
    hunks && lines && blameFromIndex({ paths: names.allPaths(path), lines, from, to }, memory, hunks);
  if (remembered) return remembered;
  const range = { commit: memory.revision, path, from, to, ignoreWhitespace: true };
  try {
    const blamed = await blame(repo, { ...range, timeoutMs: TIMEOUT_MS, signal });
    return blamed.map((line) => ({ ...line, certain: true }));
  } catch (error) {
    if (signal?.aborted) throw error;
    // Too slow, or a file of one line without an end: the places stand without their blame.
    return [];
  }
}

function oldestLine(place: LocatedPlace | undefined, lines: BlamedLine[]): PlaceBlame['oldest'] {
  if (!place || lines.length === 0) return null;
  const { oid, line } = lines.reduce((a, b) => (b.time < a.time ? b : a));
  return { oid, line, path: place.path };
}
