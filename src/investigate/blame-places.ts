import { type BlameLine, blame } from '#git/blame.ts';
import type { Memory } from '#memory/memory.ts';
import type { LocatedPlace } from './locate.ts';

/** What blame says of a commit: the line nearest to a place's focus that it changed last. */
export interface Blamed {
  /** 1 for the very line of the best place, less with distance and for later places. */
  weight: number;
  /** The place is known by a frame or by the message, not by words alone. */
  sure: boolean;
  /** Share of all blamed lines that it wrote. */
  share: number;
  exact: boolean;
  path: string;
  line: number;
  /** Where that line stands in the commit itself. */
  origin: { path: string; line: number };
}

/** The blame of the best places: commits by weight, and the oldest line at the best place. */
export interface PlacesBlame {
  commits: Map<number, Blamed>;
  oldest: { oid: string; line: number; path: string } | null;
}

const BLAMED_PLACES = 3;
/** Lines around the focus that are blamed: most functions, and little enough to be quick. */
const LINES_AROUND = 12;
/** Blame of an old file may take seconds; an answer rather does without. */
const TIME_LIMIT_MS = 1_500;

/** Blames the lines around the focus of the best places, blanks ignored, each with a time limit. */
export async function blamePlaces(
  places: LocatedPlace[],
  { repo, memory, signal }: { repo: string; memory: Memory; signal?: AbortSignal },
): Promise<PlacesBlame> {
  const best = places.slice(0, BLAMED_PLACES);
  const lists = await Promise.all(best.map((place) => blameAround(place, repo, memory, signal)));
  const commits = new Map<number, Blamed>();
  const each = 1 / Math.max(1, lists.flat().length);
  for (const [index, place] of best.entries()) {
    for (const line of lists[index]!) {
      const commit = memory.commits.find(line.oid);
      if (commit < 0) continue;
      const weight = place.score * weightOf(place, Math.abs(line.line - place.focus));
      const known = commits.get(commit);
      const share = (known?.share ?? 0) + each;
      if (known && weight <= known.weight) {
        known.share = share;
        continue;
      }
      const origin = { path: line.originalPath, line: line.originalLine };
      const exact = line.line === place.focus;
      commits.set(commit, {
        weight,
        share,
        sure: place.by !== 'words',
        exact,
        path: place.path,
        line: place.focus,
        origin,
      });
    }
  }
  return { commits, oldest: oldestLine(best[0], lists[0] ?? []) };
}

/** A frame's line is certain, a line found by words is a guess. */
function weightOf(place: LocatedPlace, distance: number): number {
  const sure = place.by === 'frame' ? 1 : place.by === 'origin' ? 0.7 : 0.4;
  return sure / (1 + 0.35 * distance);
}

async function blameAround(place: LocatedPlace, repo: string, memory: Memory, signal?: AbortSignal) {
  const from = Math.max(place.start, place.focus - LINES_AROUND, 1);
  const to = Math.min(place.end, place.focus + LINES_AROUND);
  try {
    return await blame(repo, {
      commit: memory.revision,
      path: place.path,
      from,
      to: Math.max(from, to),
      ignoreWhitespace: true,
      timeoutMs: TIME_LIMIT_MS,
      signal,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    // Too slow, or a file of one line without an end: the places stand without their blame.
    return [];
  }
}

function oldestLine(place: LocatedPlace | undefined, lines: BlameLine[]): PlacesBlame['oldest'] {
  if (!place || lines.length === 0) return null;
  const { oid, line } = lines.reduce((a, b) => (b.time < a.time ? b : a));
  return { oid, line, path: place.path };
}
