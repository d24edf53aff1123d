import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AppError } from '#contract/errors.ts';
import { firstLine } from '#contract/first-line.ts';
import { isoTime } from '#contract/iso-time.ts';
import { log } from '#git/log.ts';
import { mergeBase } from '#git/refs.ts';
import { git } from '#git/run.ts';

/** A commit of the branch, with the paths that it changed. */
export interface BranchCommit {
  hash: string;
  message: string;
  author: string;
  timestamp: string;
  paths: ReadonlySet<string>;
}

/** History of a checkout: the commits of its branch, and the limits of its clone. */
export interface BranchContext {
  head: string;
  /** Name and commit at which the branch began; null without one. */
  base: { ref: string; commit: string } | null;
  /** Commits since the base, newest first, without merges. */
  commits: BranchCommit[];
  /** Oldest commits of a shallow clone: git takes every line before them for theirs. */
  boundary: ReadonlySet<string>;
  /** Missing parts of the clone, with the commands that fetch them. */
  notes: string[];
}

interface BranchRequest {
  /** Absolute path of the git directory. */
  repo: string;
  /** Branch, tag or commit that the branch is compared with. */
  base: string | null;
  /** True when the base was typed: one that a complete clone lacks is an error then. */
  isExplicit: boolean;
  signal: AbortSignal;
}

const MAX_BRANCH_COMMITS = 500;
const MAX_PATHS_PER_COMMIT = 2_000;
const GIT_TIMEOUT_MS = 30_000;

/** Reads the commits of the checked-out branch since its base. Throws `bad_request` for a base that does not exist. */
export async function readBranchContext({
  repo,
  base,
  isExplicit,
  signal,
}: BranchRequest): Promise<BranchContext> {
  const head = (await findCheckoutCommit(repo, 'HEAD'))!;
  const boundary = await readShallowBoundary(repo);
  const notes = [...(await describeMissingHistory(repo, boundary)), ...(await describeMissingFiles(repo))];
  const context: BranchContext = { head, base: null, commits: [], boundary, notes };
  if (base === null) return context;
  const tip =
    (await findCheckoutCommit(repo, `refs/remotes/origin/${base}`)) ?? (await findCheckoutCommit(repo, base));
  if (tip === null) {
    if (isExplicit && boundary.size === 0)
      throw new AppError('bad_request', 'base_not_fetched', { params: { ref: base } });
    notes.push(
      `The base ${base} is not in this clone, so commits of this branch cannot be told from older ones. Fetch it: git fetch origin ${base}`,
    );
    return context;
  }
  const commit = await mergeBase(repo, tip, head);
  if (commit === null) {
    notes.push(
      `The commit at which this branch left ${base} is not in this clone, so commits of this branch cannot be told from older ones. Fetch it: git fetch --unshallow origin`,
    );
    return context;
  }
  context.base = { ref: base, commit };
  for await (const one of log(repo, { from: head, not: [commit], signal, timeoutMs: GIT_TIMEOUT_MS })) {
    if (context.commits.length === MAX_BRANCH_COMMITS) break;
    if (one.parents.length > 1 || boundary.has(one.oid)) continue;
    context.commits.push({
      hash: one.oid,
      message: firstLine(one.message),
      author: one.author,
      timestamp: isoTime(one.time),
      paths: new Set(one.changes.slice(0, MAX_PATHS_PER_COMMIT).map(({ path }) => path)),
    });
  }
  return context;
}

/** The commit of a name that git resolves; null for none. Only for names in the caller's own checkout. */
export async function findCheckoutCommit(repo: string, name: string): Promise<string | null> {
  if (!/^[^\s\p{Cc}]{1,250}$/u.test(name)) return null;
  const { exitCode, stdout } = await git(
    repo,
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`],
    { name: 'rev-parse', ok: [0, 1, 128] },
  );
  return exitCode === 0 ? stdout.toString().trim() : null;
}

async function readShallowBoundary(repo: string): Promise<Set<string>> {
  const { stdout } = await git(repo, ['rev-parse', '--git-path', 'shallow'], { name: 'rev-parse' });
  const text = await readFile(resolve(repo, stdout.toString().trim()), 'utf8').catch(() => '');
  return new Set(text.split('\n').filter((line) => /^[0-9a-f]{40,64}$/.test(line)));
}

async function describeMissingHistory(repo: string, boundary: ReadonlySet<string>): Promise<string[]> {
  if (boundary.size === 0) return [];
  const { stdout } = await git(repo, ['rev-list', '--count', 'HEAD'], { name: 'rev-list' });
  const count = Number(stdout.toString());
  return [
    `This is a shallow clone with ${count === 1 ? 'one commit' : `${count} commits`} of the history. Older causes and earlier fixes cannot be found. Fetch the rest: git fetch --unshallow origin (GitHub Actions: fetch-depth: 0 of actions/checkout; GitLab CI: GIT_DEPTH: 0)`,
  ];
}

/** A partial clone fetches contents when git needs them, which is off here: no command of ours opens a connection. */
async function describeMissingFiles(repo: string): Promise<string[]> {
  const { stdout } = await git(repo, ['config', '--get-regexp', '^remote\\..*\\.partialclonefilter$'], {
    name: 'config',
    ok: [0, 1],
  });
  const filter = stdout.toString().trim().split(/\s+/)[1];
  return filter === undefined
    ? []
    : [
        `This is a partial clone (${filter}): changes whose contents it lacks are not compared. Fetch them: git fetch --refetch --no-filter origin`,
      ];
}
