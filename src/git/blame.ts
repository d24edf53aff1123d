import { gitFailure, isMissingPath } from './failure.ts';
import { MAX_NAME_LENGTH } from './log-reader.ts';
import { unquotePath } from './quoting.ts';
import { assertOid, git, gitStream } from './run.ts';

/** Last change of a line. */
export interface BlameLine {
  /** Number in the file as asked for, from 1. */
  line: number;
  oid: string;
  /** Number that the line had in `oid`. */
  originalLine: number;
  /** Name that the file had in `oid`. */
  originalPath: string;
  author: string;
  /** Author time in seconds since 1970. */
  time: number;
  summary: string;
  /** Path and commit of the file before `oid`; null when `oid` added it. */
  previous: { oid: string; path: string } | null;
}

/** Ranges of lines, from 1, of a file at a commit (a full hash). */
interface BlameRequest {
  commit: string;
  path: string;
  /** First and last line of each range. */
  ranges: readonly (readonly [from: number, to: number])[];
  /** Committer time in seconds since 1970: lines from before are attributed to any older commit. */
  since?: number;
  ignoreWhitespace?: boolean;
  /**
   * Go back to this commit (a full hash) and no further, and find lines that came from other files: the lines that it had
   * already are its own.
   */
  movedSince?: string;
  /** Commits (full hashes of the repository) whose changes are attributed to earlier ones where that is possible. */
  ignored?: readonly string[];
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** Characters of a commit's first line: it is repeated for every run of lines. */
const MAX_SUMMARY_LENGTH = 300;

/** Blames lines of a file. Lines past its end and files that are not there give nothing. */
export async function blame(
  repo: string,
  request: BlameRequest | (Omit<BlameRequest, 'ranges'> & { from: number; to: number }),
): Promise<BlameLine[]> {
  const { commit, path, ignoreWhitespace = false, movedSince, ignored = [], since, signal } = request;
  const { timeoutMs = 20_000 } = request;
  const ranges = 'ranges' in request ? request.ranges : [[request.from, request.to] as const];
  const how = [
    ...ranges.map(toLineRange),
    ...(since === undefined ? [] : [`--since=${new Date(since * 1000).toISOString()}`]),
    ...(ignoreWhitespace ? ['-w'] : []),
    ...(movedSince ? ['-C', '-C'] : []),
    ...ignored.map((oid) => `--ignore-rev=${assertOid(oid)}`),
  ];
  const args = ['blame', '--porcelain', ...how];
  const options = {
    name: 'blame',
    revisions: [assertOid(commit), ...(movedSince ? [`^${assertOid(movedSince)}`] : [])],
    paths: [path],
    ok: [0, 128],
    timeoutMs,
    signal,
  };
  const { exitCode, stdout, stderr } = await git(repo, args, options);
  if (exitCode === 0) {
    return parseBlame(stdout.toString());
  }
  if (isMissingPath(stderr)) {
    return [];
  }
  throw gitFailure({ name: 'blame', exitCode, signal: null, stderr, killed: null });
}

function toLineRange([from, to]: readonly [number, number]): string {
  const first = Math.max(1, Math.trunc(from));
  return `-L${first},${Math.max(first, Math.trunc(to))}`;
}

type Origin = Pick<BlameLine, 'author' | 'time' | 'summary' | 'previous' | 'originalPath'>;

const NO_ORIGIN: Origin = { author: '', time: Number.NaN, summary: '', previous: null, originalPath: '' };
const OID_ROW = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/**
 * Porcelain, one block a line of the file:
 *
 *   block  = oid SP originalLine SP line [SP linesInGroup] LF  header*  TAB content LF
 *   header = "author" SP name | "author-time" SP seconds | "summary" SP text | "filename" SP path
 *          | "previous" SP oid SP path | "boundary" | …
 *
 * A commit's headers stand in its first block only; `filename` and `previous` come again when they differ.
 */
export function parseBlame(text: string): BlameLine[] {
  const origins = new Map<string, Origin>();
  const lines: BlameLine[] = [];
  let position = { oid: '', originalLine: 0, line: 0 };
  let origin: Origin = { ...NO_ORIGIN };
  for (const row of text.split('\n')) {
    if (row.startsWith('\t')) {
      lines.push({ ...position, ...origin });
      continue;
    }
    const space = row.indexOf(' ');
    const [key, value] = [row.slice(0, space), row.slice(space + 1)];
    if (OID_ROW.test(key)) {
      const [originalLine, line] = value.split(' ').map(Number);
      position = { oid: key, originalLine: originalLine!, line: line! };
      // Several names of one file may lead to one commit, so each block may change its own copy.
      origin = { ...NO_ORIGIN, ...origins.get(key) };
      origins.set(key, origin);
    } else {
      readHeader(origin, key, value);
    }
  }
  return lines;
}

function readHeader(origin: Origin, key: string, value: string): void {
  if (key === 'author') {
    origin.author = value.slice(0, MAX_NAME_LENGTH);
  } else if (key === 'author-time') {
    origin.time = Number(value);
  } else if (key === 'summary') {
    origin.summary = value.slice(0, MAX_SUMMARY_LENGTH);
  } else if (key === 'filename') {
    origin.originalPath = unquotePath(value);
  } else if (key === 'previous') {
    const [oid, path] = [value.slice(0, value.indexOf(' ')), value.slice(value.indexOf(' ') + 1)];
    origin.previous = { oid, path: unquotePath(path) };
  }
}

/** Lines next to each other that one commit changed last; `line` and `originalLine` are those of the first. */
export interface BlameGroup extends BlameLine {
  lines: number;
}

/**
 * Blames the first `maxLines` lines of a file; yields groups as git finds them, those of the newest commits first. Throws
 * AppError for an empty file, and `timed_out` after the groups that were found in time.
 */
export async function* streamBlame(
  repo: string,
  {
    commit,
    path,
    maxLines,
    ignoreWhitespace = false,
    ignored = [],
    timeoutMs,
    signal,
  }: Omit<BlameRequest, 'ranges' | 'since' | 'movedSince'> & { maxLines: number },
): AsyncGenerator<BlameGroup[], void, undefined> {
  const args = [
    'blame',
    '--incremental',
    `-L1,${maxLines}`,
    ...(ignoreWhitespace ? ['-w'] : []),
    ...ignored.map((oid) => `--ignore-rev=${assertOid(oid)}`),
  ];
  const options = { name: 'blame', revisions: [assertOid(commit)], paths: [path], timeoutMs, signal };
  const decoder = new TextDecoder();
  const parse = createGroupParser();
  for await (const chunk of gitStream(repo, args, options)) {
    const groups = parse(decoder.decode(chunk, { stream: true }));
    if (groups.length > 0) yield groups;
  }
}

/**
 * Parses the incremental format from chunks of text; `filename` ends each group, and a commit has its other headers in its
 * first group only:
 *
 *   group = oid SP originalLine SP line SP lines LF  header*  ["previous" SP oid SP path LF]  "filename" SP path LF
 */
export function createGroupParser(): (text: string) => BlameGroup[] {
  const origins = new Map<string, Origin>();
  let rest = '';
  let group: BlameGroup | null = null;
  return (text) => {
    const rows = (rest + text).split('\n');
    rest = rows.pop()!;
    const found: BlameGroup[] = [];
    for (const row of rows) {
      const space = row.indexOf(' ');
      const [key, value] = [row.slice(0, space), row.slice(space + 1)];
      if (OID_ROW.test(key)) {
        const [originalLine, line, lines] = value.split(' ').map(Number);
        const origin = origins.get(key) ?? NO_ORIGIN;
        group = {
          ...origin,
          ...{ oid: key, line: line!, originalLine: originalLine!, lines: lines! },
          previous: null,
        };
      } else if (group) {
        readHeader(group, key, value);
        if (key !== 'filename') continue;
        origins.set(group.oid, group);
        found.push(group);
        group = null;
      }
    }
    return found;
  };
}
