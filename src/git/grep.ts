import { AppError } from '#contract/errors.ts';
import { isIndexablePath } from './paths.ts';
import { assertOid, gitStream } from './run.ts';

/** A line that matched. */
export interface GrepMatch {
  path: string;
  /** From 1. */
  line: number;
  text: string;
  /** Matching characters of the text, where they were asked for. */
  marks?: [from: number, to: number][];
}

/** Search pattern: any of some literal texts, or an extended regular expression. */
export type GrepPattern = { fixed: string[] } | { regex: string };

const MAX_TEXT = 1000;

/** A regular expression may take all cores until its deadline; interactive work goes first. */
const NICENESS = 10;

/** Limits and scope of a search. */
export interface GrepOptions {
  maxMatches: number;
  timeoutMs: number;
  /** Only these files; all when absent. */
  paths?: string[];
  /** Leaves out matches in other files, which count for nothing. */
  accept?: (path: string) => boolean;
  ignoreCase?: boolean;
  wholeWord?: boolean;
  /** Also returns the matching characters of each line. */
  marks?: boolean;
  signal?: AbortSignal;
}

/**
 * Lines of text files at a commit (a full hash) that match, in the order of paths: the first `maxMatches`, or as
 * many as are found within `timeoutMs`. Throws `bad_request` for a regular expression that is none.
 */
export async function grep(
  repo: string,
  commit: string,
  pattern: GrepPattern,
  options: GrepOptions,
): Promise<GrepMatch[]> {
  const { maxMatches, timeoutMs, signal, paths = [] } = options;
  const texts = 'fixed' in pattern ? pattern.fixed : [pattern.regex];
  // A line feed parts patterns, and an empty pattern matches every line.
  const usable = texts
    .flatMap((text) => text.split('\n'))
    .filter((text) => text !== '' && !text.includes('\0'));
  if (usable.length === 0 || options.paths?.length === 0) {
    return [];
  }
  const kind = 'fixed' in pattern ? '-F' : '-E';
  const args = ['grep', '-z', '-n', '-I', '--full-name', '--no-textconv', kind];
  args.push(options.marks ? '--color=always' : '--no-color');
  if (options.ignoreCase) args.push('-i');
  if (options.wholeWord) args.push('-w');
  const matches: GrepMatch[] = [];
  const add = (parts: MatchParts) => {
    const found = (options.marks ? readColoredMatch : readMatch)(parts, commit.length);
    if (isIndexablePath(found.path) && (options.accept?.(found.path) ?? true)) matches.push(found);
  };
  const run = {
    name: 'grep',
    revisions: [assertOid(commit)],
    paths,
    ok: [0, 1],
    timeoutMs,
    signal,
    limits: { niceness: NICENESS },
  };
  let rest = '';
  let isSkipping = false;
  try {
    for await (const chunk of gitStream(repo, [...args, ...usable.flatMap((text) => ['-e', text])], run)) {
      // Latin 1 keeps the bytes one by one until a whole match is there.
      let text = rest + chunk.toString('latin1');
      if (isSkipping) {
        const lineEnd = text.indexOf('\n');
        if (lineEnd === -1) continue;
        text = text.slice(lineEnd + 1);
        isSkipping = false;
      }
      let start = 0;
      for (
        let found = findMatch(text, 0);
        found !== null && found.end !== null;
        found = findMatch(text, start)
      ) {
        start = found.end + 1;
        add(found);
        if (matches.length >= maxMatches) return matches;
      }
      rest = text.slice(start);
      if (rest.length > MAX_LINE) {
        const unended = findMatch(rest, 0);
        if (unended) add(unended);
        if (matches.length >= maxMatches) return matches;
        rest = '';
        isSkipping = true;
      }
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'timed_out') {
      throw error;
    }
  }
  return matches;
}

/** Bytes of a match of which the line is not read to its end. */
const MAX_LINE = 2 ** 20;

interface MatchParts {
  name: string;
  line: string;
  text: string;
  /** Offset of the line feed; null for an incomplete line. */
  end: number | null;
}

/**
 * The match that begins at `start`: `<commit> ":" <path> NUL <line> NUL <text> LF`; the path may hold line feeds. Found by its
 * separators one after the other: a regular expression restarts at every byte of a long line.
 */
function findMatch(output: string, start: number): MatchParts | null {
  const nameEnd = output.indexOf('\0', start);
  const lineEnd = nameEnd === -1 ? -1 : output.indexOf('\0', nameEnd + 1);
  if (lineEnd === -1) return null;
  const end = output.indexOf('\n', lineEnd + 1);
  return {
    name: output.slice(start, nameEnd),
    line: output.slice(nameEnd + 1, lineEnd),
    text: output.slice(lineEnd + 1, end === -1 ? undefined : end),
    end: end === -1 ? null : end,
  };
}

function readMatch({ name, line, text }: MatchParts, hashLength: number): GrepMatch {
  const decode = (latin: string) => Buffer.from(latin, 'latin1').toString();
  return {
    path: decode(name.slice(hashLength + 1)),
    line: Number(line),
    text: decode(text.slice(0, 4 * MAX_TEXT)).slice(0, MAX_TEXT),
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: git marks colours by escape sequences.
const COLOR = /\x1b\[(?:[0-9;]*)m/g;
const MATCH_COLOR = '\x1b[1;31m';
const MAX_MARKS = 40;

/** Reads the matching characters from git's colours. A line with escape sequences of its own may have wrong marks. */
function readColoredMatch({ name, line, text, end }: MatchParts, hashLength: number): GrepMatch {
  const plain = { name: name.replace(COLOR, ''), line: line.replace(COLOR, ''), end };
  const { text: colored, ...match } = readMatch({ ...plain, text }, hashLength);
  const marks: [from: number, to: number][] = [];
  let [shown, last] = ['', 0];
  let start: number | null = null;
  for (const color of colored.matchAll(COLOR)) {
    shown += colored.slice(last, color.index);
    last = color.index + color[0].length;
    if (color[0] === MATCH_COLOR) start = shown.length;
    else if (start !== null && marks.length < MAX_MARKS) {
      if (shown.length > start) marks.push([start, shown.length]);
      start = null;
    }
  }
  shown += colored.slice(last);
  return { ...match, text: shown, marks };
}
