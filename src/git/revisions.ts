import { readRefs, resolveCommit, splitLines } from './refs.ts';
import { assertOid, gitStream, isRefName } from './run.ts';

/** Revisions that a user may read, beside upstream's branches and tags. */
interface RevisionScope {
  repo: string;
  /** The full hash of an indexed commit by its hash or a unique beginning of it, at least 7 digits; null for others. */
  findIndexed(hash: string): string | null;
  /** The indexed head, a full hash; null before there is an index. */
  head: string | null;
  /** The branches below `refs/heads` that are the reader's own; those of others do not exist. */
  ownBranches: readonly string[] | 'all';
  /** Commits that are not indexed are not wanted. */
  indexedOnly?: boolean;
  signal?: AbortSignal;
}

/** A commit that a reader may see. */
export interface VisibleRevision {
  /** Full hash. */
  commit: string;
  /** True when only the reader's own branch reaches it: results about it must be shown to no other user. */
  isDraft: boolean;
}

const HASH = /^[0-9a-f]{7,64}$/;
const HEADS = 'refs/heads/';
const UPSTREAM = ['--remotes=origin', '--tags'];
const LIST_TIMEOUT_MS = 10_000;

/**
 * The commit that a name means to a reader: a commit's hash, an upstream branch or tag, or one of the reader's own branches.
 * Null for everything else, whether or not the repository has it: neither the answer nor the time that it takes tells what
 * others have saved.
 */
export async function findRevision(name: string, scope: RevisionScope): Promise<VisibleRevision | null> {
  if (!isRefName(name)) return null;
  const isHash = HASH.test(name);
  const indexed = isHash ? scope.findIndexed(name) : null;
  if (indexed !== null) return { commit: indexed, isDraft: false };
  return (
    (await findNamed(name, scope)) ?? (isHash && !scope.indexedOnly ? await findUnindexed(name, scope) : null)
  );
}

async function findNamed(
  name: string,
  { repo, ownBranches }: RevisionScope,
): Promise<VisibleRevision | null> {
  // It points at upstream's default branch.
  if (name === 'HEAD') return visible(await resolveCommit(repo, name), false);
  const shared = name.startsWith('refs/')
    ? [name].filter((ref) => /^refs\/(?:remotes\/origin|tags)\//.test(ref))
    : [`refs/remotes/origin/${name}`, `refs/tags/${name}`];
  const own = name.startsWith(HEADS) ? name : HEADS + name;
  const isOwn = ownBranches === 'all' || ownBranches.includes(own.slice(HEADS.length));
  const found = await readRefs(repo, isOwn ? [...shared, own] : shared);
  const ref = shared.find((each) => found.has(each));
  return ref === undefined ? visible(found.get(own), true) : visible(found.get(ref), false);
}

function visible(commit: string | null | undefined, isDraft: boolean): VisibleRevision | null {
  return commit ? { commit, isDraft } : null;
}

/**
 * Looks a hash up among the commits that the reader may see and the index does not hold. They are listed instead of asking
 * git for the object: that would also know commits of others, and make a beginning ambiguous by them.
 */
async function findUnindexed(hash: string, scope: RevisionScope): Promise<VisibleRevision | null> {
  const { repo, head, ownBranches } = scope;
  const indexed = head === null ? [] : [`^${assertOid(head)}`];
  const list = (args: string[], revisions: string[]) => listStartingWith(hash, scope, { args, revisions });
  const upstream = await list(UPSTREAM, indexed);
  const names = ownBranches === 'all' ? [] : ownBranches.map((branch) => HEADS + branch);
  const heads = [...(await readRefs(repo, names)).values()];
  const drafts =
    heads.length === 0 ? [] : await list(['--not', ...UPSTREAM, '--not'], [...heads, ...indexed]);
  const [commit, ...others] = [...upstream, ...drafts];
  return others.length > 0 ? null : visible(commit, upstream.length === 0);
}

/** At most two of the commits that `git rev-list` lists and that begin with these digits. */
async function listStartingWith(
  digits: string,
  { repo, signal }: RevisionScope,
  { args, revisions }: { args: string[]; revisions: string[] },
): Promise<string[]> {
  const found: string[] = [];
  const options = { name: 'rev-list', revisions, timeoutMs: LIST_TIMEOUT_MS, ...(signal && { signal }) };
  for await (const line of splitLines(gitStream(repo, ['rev-list', ...args], options))) {
    if (found.length < 2 && line.startsWith(digits)) found.push(line);
  }
  return found;
}
