import { StringDecoder } from 'node:string_decoder';
import { MAX_NAME_LENGTH } from './log-reader.ts';
import { openObjectReader } from './object-reader.ts';
import { assertOid, git, gitStream, isRefName } from './run.ts';

/**
 * The full hash of the commit that a hash, branch or tag stands for, or null. Upstream's branches come first, then tags, then
 * branches made here, then abbreviated hashes of at least 7 digits. For names that the program itself makes: what a reader
 * names is looked up by `findRevision`.
 */
export async function resolveCommit(repo: string, ref: string): Promise<string | null> {
  if (!isRefName(ref)) return null;
  const isHash = /^[0-9a-f]{7,64}$/.test(ref);
  const isFullHash = isHash && (ref.length === 40 || ref.length === 64);
  if (isFullHash || ref === 'HEAD') return await peelCommit(repo, ref);
  const names = ref.startsWith('refs/')
    ? [ref]
    : [`refs/remotes/origin/${ref}`, `refs/tags/${ref}`, `refs/heads/${ref}`];
  const found = await readRefs(repo, names);
  const name = names.find((each) => found.has(each));
  if (name !== undefined) return found.get(name)!;
  return isHash ? await peelCommit(repo, ref) : null;
}

/** True when the repository has this commit. For full hashes that the program itself stored or received, not for names. */
export async function hasCommit(repo: string, oid: string): Promise<boolean> {
  const objects = openObjectReader(repo);
  try {
    const found = await objects.stat(oid);
    return found?.type === 'commit' || (found?.type === 'tag' && (await resolveCommit(repo, oid)) !== null);
  } finally {
    objects.close();
  }
}

/**
 * The commits at refs that are given by their whole names, such as `refs/tags/v1`; those that are not there are left out.
 * git's own reading of names would go on to `refs/heads/refs/tags/v1`, a branch that anybody may have made.
 */
export async function readRefs(repo: string, refs: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const wanted = new Set(refs.filter(isRefName));
  if (wanted.size === 0) return found;
  const args = ['for-each-ref', '--format=%(refname) %(objecttype) %(objectname)'];
  const options = { name: 'for-each-ref', revisions: [...wanted] };
  for await (const line of splitLines(gitStream(repo, args, options))) {
    const [name, type, oid] = line.split(' ');
    // What has the name for its folder is listed as well.
    if (name === undefined || oid === undefined || !wanted.has(name)) continue;
    const commit = type === 'commit' ? oid : await peelCommit(repo, oid);
    if (commit !== null) found.set(name, commit);
  }
  return found;
}

/** A branch or tag of upstream, at a commit. */
export interface UpstreamRef {
  name: string;
  kind: 'branch' | 'tag';
  commit: string;
  /** Seconds since 1970. */
  time: number;
}

/** The newest `max` branches and tags of upstream; tags of anything but commits are left out. */
export async function listUpstreamRefs(
  repo: string,
  { max, signal }: { max: number; signal?: AbortSignal | undefined },
): Promise<UpstreamRef[]> {
  const format =
    '%(refname)%00%(objecttype)%00%(objectname)%00%(*objecttype)%00%(*objectname)%00%(creatordate:unix)';
  const args = ['for-each-ref', '--sort=-creatordate', `--count=${max}`, `--format=${format}`];
  const options = {
    name: 'for-each-ref',
    revisions: ['refs/remotes/origin', 'refs/tags'],
    ...(signal && { signal }),
  };
  const found: UpstreamRef[] = [];
  for await (const line of splitLines(gitStream(repo, args, options))) {
    const [ref = '', type, oid, peeledType, peeledOid, time] = line.split('\0');
    const commit = type === 'commit' ? oid : peeledType === 'commit' ? peeledOid : undefined;
    const [, kind, name] = /^refs\/(remotes\/origin|tags)\/(.+)$/.exec(ref) ?? [];
    if (!commit || !name || name === 'HEAD') continue;
    found.push({ name, kind: kind === 'tags' ? 'tag' : 'branch', commit, time: Number(time) });
  }
  return found;
}

/** Name and time of a commit's committer. */
export async function readCommitter(repo: string, oid: string): Promise<{ name: string; time: number }> {
  const { stdout } = await git(repo, ['log', '-1', '--encoding=UTF-8', '--format=%cn%x00%ct'], {
    name: 'log',
    revisions: [assertOid(oid)],
    paths: [],
  });
  const [name = '', time = ''] = stdout.toString().trim().split('\0');
  return { name: name.slice(0, MAX_NAME_LENGTH), time: Number.parseInt(time, 10) };
}

/** The lines of a child's output. */
export async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string, void, undefined> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/** Follows tags; null for what is no commit. */
async function peelCommit(repo: string, name: string): Promise<string | null> {
  const { exitCode, stdout } = await git(repo, ['rev-parse', '--verify', '--quiet', '--end-of-options'], {
    name: 'rev-parse',
    revisions: [`${name}^{commit}`],
    // 1: no such object; 128: an ambiguous hash, or an object that is no commit.
    ok: [0, 1, 128],
  });
  return exitCode === 0 ? stdout.toString().trim() : null;
}

/** True when commit `a` is `b` or one of its ancestors. Both are full hashes. */
export async function isAncestor(repo: string, a: string, b: string, timeoutMs?: number): Promise<boolean> {
  const { exitCode } = await git(repo, ['merge-base', '--is-ancestor'], {
    name: 'merge-base',
    revisions: [a, b],
    ...(timeoutMs !== undefined && { timeoutMs }),
    // 1: no; 128: one of them is not in the repository.
    ok: [0, 1, 128],
  });
  return exitCode === 0;
}

/** A newest common ancestor of two commits, all full hashes; null for unrelated histories. */
export async function mergeBase(repo: string, a: string, b: string): Promise<string | null> {
  const { stdout } = await git(repo, ['merge-base'], {
    name: 'merge-base',
    revisions: [assertOid(a), assertOid(b)],
    ok: [0, 1],
  });
  return stdout.toString().trim() || null;
}

/** Counts the commits that only the head reaches, and those that only the base reaches. Both are full hashes. */
export async function countDivergence(
  repo: string,
  base: string,
  head: string,
): Promise<{ ahead: number; behind: number }> {
  const count = async (from: string, not: string) => {
    const { stdout } = await git(repo, ['rev-list', '--count'], {
      name: 'rev-list',
      revisions: [assertOid(from), `^${assertOid(not)}`],
    });
    return Number(stdout.toString());
  };
  const [ahead, behind] = await Promise.all([count(head, base), count(base, head)]);
  return { ahead, behind };
}

/** Commit time in milliseconds since 1970; NaN for an invalid date. Throws when the commit is missing. */
export async function commitTime(repo: string, oid: string): Promise<number> {
  const { stdout } = await git(repo, ['log', '-1', '--format=%ct'], {
    name: 'log',
    revisions: [assertOid(oid)],
    paths: [],
  });
  return Number.parseInt(stdout.toString(), 10) * 1000;
}

/** The newest commit that `head`, a full hash, reaches on its first-parent line and that was made by `time`; or null. */
export async function commitBefore(repo: string, head: string, time: Date): Promise<string | null> {
  const { stdout } = await git(
    repo,
    ['rev-list', '-1', '--first-parent', `--before=${Math.floor(time.getTime() / 1000)}`],
    { name: 'rev-list', revisions: [assertOid(head)] },
  );
  return stdout.toString().trim() || null;
}
