import type { FileRisks } from '#contract/analysis.ts';
import { isoTime } from '#contract/iso-time.ts';
import { findCoupled } from '#evolution/coupling.ts';
import { isFixCommit } from '#evolution/fixes.ts';
import { BULK_COMMIT_FILES, findHotspots } from '#evolution/hotspots.ts';
import { openChangeIndexIfUsable } from '#memory/changes/change-index.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { type BlamedLine, blameFromIndex } from './blame-from-index.ts';
import { blameLineRange } from './blame-places.ts';
import { followRenames } from './renames.ts';

/** A file of the editor, in the version that is edited. */
interface RiskInput {
  repo: string;
  index: RepositoryIndex;
  /** Folder of the change index. */
  hunks: string | null;
  path: string;
  lines: readonly string[];
  /** Paths that have changed on the branch. */
  changed: readonly string[];
  signal: AbortSignal;
}

/** Longer files are generated; their lines are not blamed. */
const MAX_LINES = 4_000;
const MAX_FIXED_RANGES = 100;
/** Lines of one fix that are so close are one place. */
const MAX_GAP = 3;
const HOTSPOT_DAYS = 365;
const MAX_HOTSPOT_RANK = 10;
/** Fewer changes make no hotspot. */
const MIN_HOTSPOT_COMMITS = 5;
const MAX_COMPANIONS = 5;
/** A companion has changed in so many of the file's commits, and in half of them. */
const MIN_TOGETHER = 4;
const MIN_SHARE = 0.5;

/** Finds what the history says about changing a file. */
export async function findFileRisks(input: RiskInput): Promise<FileRisks> {
  return {
    fixed_lines: await findFixedLines(input),
    hotspot: findHotspot(input),
    companions: findCompanions(input),
  };
}

/** Lines that a fix wrote, close ones together. Bulk changes fix nothing in particular. */
async function findFixedLines(input: RiskInput): Promise<FileRisks['fixed_lines']> {
  const { index, lines } = input;
  if (lines.length === 0 || lines.length > MAX_LINES) return [];
  const { commits } = index;
  const blamed = await blameAll(input);
  const isFix = new Map<number, boolean>();
  const ranges: { from: number; to: number; commit: number }[] = [];
  for (const { line, oid, isCertain } of blamed) {
    const commit = commits.find(oid);
    if (commit < 0 || !isCertain) continue;
    if (!isFix.has(commit)) {
      isFix.set(commit, commits.paths(commit).length <= BULK_COMMIT_FILES && isFixCommit(index, commit));
    }
    if (!isFix.get(commit)) continue;
    const last = ranges.at(-1);
    if (last?.commit === commit && line - last.to <= MAX_GAP) last.to = line;
    else ranges.push({ from: line, to: line, commit });
  }
  return ranges.slice(0, MAX_FIXED_RANGES).map(({ from, to, commit }) => ({
    line: from,
    lines: to - from + 1,
    hash: commits.oid(commit),
    subject: commits.subject(commit).slice(0, 300),
    author: commits.author(commit),
    timestamp: isoTime(commits.time(commit)),
  }));
}

/** Blames a file. Git knows the lines of the indexed version alone, the index of changes those of any. */
async function blameAll({ repo, index, path, lines, changed, ...input }: RiskInput): Promise<BlamedLine[]> {
  const hunks = openChangeIndexIfUsable(input.hunks);
  const renames = followRenames([path], index.commits);
  const range = { from: 1, to: lines.length };
  if (!changed.includes(path)) {
    const deps = { repo, index, hunks, renames, signal: input.signal };
    return await blameLineRange({ path, lines: [...lines], ...range }, deps);
  }
  const file = { paths: renames.allPaths(path), lines, ranges: [[range.from, range.to]] as const };
  return (hunks && blameFromIndex(file, index, hunks)) ?? [];
}

function findHotspot({ index, path }: RiskInput): FileRisks['hotspot'] {
  const { commits } = index;
  if (commits.count === 0) return null;
  const since = commits.committed(0) - HOTSPOT_DAYS * 86_400;
  const hotspots = findHotspots(index, {
    since: Number.isNaN(since) ? null : since,
    limit: MAX_HOTSPOT_RANK,
  });
  const at = hotspots.findIndex((one) => one.path === path);
  const found = hotspots[at];
  if (!found || found.commits < MIN_HOTSPOT_COMMITS) return null;
  return { rank: at + 1, commits: found.commits, fixes: found.fixes, last_commit: commits.oid(found.last) };
}

function findCompanions({ index, path, changed }: RiskInput): FileRisks['companions'] {
  const { commits } = index;
  const number = commits.pathNumber(path);
  if (number < 0) return [];
  const touching = Array.from(commits.touching(number));
  const { of, coupled } = findCoupled(index, path, touching, 2 * MAX_COMPANIONS + changed.length);
  const known = new Set(changed);
  return coupled
    .filter((one) => one.together >= MIN_TOGETHER && one.together >= MIN_SHARE * of && !known.has(one.path))
    .slice(0, MAX_COMPANIONS)
    .map(({ path: other, together, last }) => ({
      path: other,
      together,
      of,
      last_commit: commits.oid(last),
    }));
}
