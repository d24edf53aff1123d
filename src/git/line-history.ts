import { AppError } from '#contract/errors.ts';
import { gitFailure, isMissingPath } from './failure.ts';
import { unquotePath } from './quoting.ts';
import { assertOid, git, isRepositoryPath } from './run.ts';

/** A commit that changed some lines, with its diff of them, line by line, from the first `@@` on. */
export interface LineChange {
  oid: string;
  parents: string[];
  /** Name of the file in this commit; null where the diff names none. */
  path: string | null;
  patch: string[];
}

/** Lines to follow back from a commit (a full hash). */
export interface LineHistoryRequest {
  commit: string;
  path: string;
  from: number;
  to: number;
  /** Commits at most. */
  maxCommits: number;
  signal?: AbortSignal;
}

const TIMEOUT_MS = 20_000;
const MAX_OUTPUT = 8 * 2 ** 20;

/**
 * Commits that changed lines `from` to `to` of a file, newest first, through renames of the file. Lines past its end and
 * files that are not there give nothing. Throws `timed_out` where the history is too long to be followed.
 */
export async function lineHistory(repo: string, request: LineHistoryRequest): Promise<LineChange[]> {
  const { commit, path, from, to, maxCommits: most, signal } = request;
  if (!isRepositoryPath(path)) {
    throw new AppError('bad_request', 'path_outside_repository', { reason: 'invalid_path' });
  }
  // The path follows a colon in one argument: git takes none for it behind `--`.
  const { exitCode, stdout, stderr } = await git(
    repo,
    [
      'log',
      `-${most}`,
      '--no-color',
      '--no-merges',
      '--no-ext-diff',
      '--no-textconv',
      '--format=%x00%H %P',
      `-L${from},${to}:${path}`,
    ],
    {
      name: 'log -L',
      revisions: [assertOid(commit)],
      ok: [0, 128],
      timeoutMs: TIMEOUT_MS,
      maxOutput: MAX_OUTPUT,
      signal,
    },
  );
  if (exitCode === 0) return readChanges(stdout.toString());
  if (isMissingPath(stderr) || /has only \d+ lines/.test(stderr)) return [];
  throw gitFailure({ name: 'log -L', exitCode, signal: null, stderr, killed: null });
}

/** NUL, hash, the parents' hashes, LF, then the diff of the followed lines with its `+++ b/` line. */
function readChanges(text: string): LineChange[] {
  return text.split('\0').flatMap((record) => {
    const [hashes = '', ...lines] = record.trim().split('\n');
    const [oid = '', ...parents] = hashes.split(' ');
    const first = lines.findIndex((line) => line.startsWith('@@'));
    const name = lines.slice(0, Math.max(0, first)).find((line) => line.startsWith('+++ '));
    const path = name ? unquotePath(name.slice(4)).replace(/^b\//, '') : null;
    if (!/^[0-9a-f]{40,64}$/.test(oid)) return [];
    return [{ oid, parents, path, patch: first < 0 ? [] : lines.slice(first) }];
  });
}
