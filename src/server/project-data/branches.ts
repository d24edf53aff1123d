import type { Kysely, Selectable } from 'kysely';
import { AppError } from '#contract/errors.ts';
import type { BranchesTable, Database } from '#db/schema.ts';
import { isBranchName, WORKING_BRANCH_PREFIX } from '#git/branch-names.ts';
import { hasCommit, readRefs } from '#git/refs.ts';
import { lockUser } from '../identity/user-store.ts';

const BRANCH_NAME = /^[A-Za-z0-9][A-Za-z0-9._/-]*$/;
/** First parts of names that git reserves for its own refs; case-insensitive on some file systems. */
const RESERVED_PREFIX = /^(?:hindsight|refs|[a-z_]*head)$/i;
const MAX_BRANCHES = 200;

export type BranchRow = Selectable<BranchesTable>;

/** User and project of a branch. */
export interface BranchOwner {
  projectId: string;
  userId: string;
}

/** Finds the user’s branch by name, or their working branch; null before its first commit. */
export async function findBranch(
  db: Kysely<Database>,
  { projectId, userId }: BranchOwner,
  name: string | null,
): Promise<BranchRow | null> {
  const userBranches = db
    .selectFrom('branches')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId);
  // A renamed user keeps the branch of the previous username.
  const matching =
    name === null
      ? userBranches.where('name', 'like', `${WORKING_BRANCH_PREFIX}%`)
      : userBranches.where('name', '=', name);
  return (await matching.orderBy('created_at').executeTakeFirst()) ?? null;
}

/**
 * Candidate names for a user’s new branch, in order of preference.
 * @throws AppError `bad_request` for an invalid name
 */
export function* candidateBranchNames(username: string, name: string | null): Generator<string> {
  const working = WORKING_BRANCH_PREFIX + username;
  if (name !== null && name !== working) {
    requireValidBranchName(name);
    return yield name;
  }
  // The name may belong to a previous holder of the username.
  for (let number = 1; number <= MAX_BRANCHES; number++)
    yield number === 1 ? working : `${working}-${number}`;
}

/**
 * Head commit of a branch: that of its row, which every server has acknowledged, or of its ref while this disk lacks the commit.
 * Null before the first save.
 */
export async function readBranchHead(
  repo: string,
  branch: Pick<BranchRow, 'name' | 'head'>,
): Promise<string | null> {
  if (await hasCommit(repo, branch.head)) return branch.head;
  const ref = `refs/heads/${branch.name}`;
  return (await readRefs(repo, [ref])).get(ref) ?? null;
}

/**
 * Throws unless a branch of this name can be created: `conflict` for a taken or conflicting name, `too_large` at
 * the limit per user.
 */
export async function requireNewBranch(
  db: Kysely<Database>,
  { projectId, userId }: BranchOwner,
  name: string,
): Promise<void> {
  const sameName = await db
    .selectFrom('branches')
    .select('name')
    .where('project_id', '=', projectId)
    .where('name', '=', name)
    .executeTakeFirst();
  if (sameName) throw new AppError('conflict', 'branch_of_other_member', NAME_CONFLICT);
  await requireFreeBranchName(db, projectId, name);
  await lockUser(db, userId);
  const { count } = await db
    .selectFrom('branches')
    .select((select) => select.fn.countAll<string>().as('count'))
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  if (Number(count) < MAX_BRANCHES) return;
  throw new AppError('too_large', 'branch_limit_reached', {
    params: { limit: MAX_BRANCHES },
    reason: 'too_many_branches',
  });
}

const NAME_CONFLICT = { reason: 'branch_exists' };

/** Throws unless the name has no conflict with the existing branches of the project. */
export async function requireFreeBranchName(
  db: Kysely<Database>,
  projectId: string,
  name: string,
): Promise<void> {
  const rows = await db.selectFrom('branches').select('name').where('project_id', '=', projectId).execute();
  const other = findNameConflict(
    name,
    rows.map((row) => row.name),
  );
  if (other === null) return;
  throw new AppError('conflict', 'branch_name_conflict', {
    params: { name, branch: other },
    ...NAME_CONFLICT,
  });
}

/**
 * Existing branch that a new name conflicts with. Git stores branches as files, so no name can be a folder of
 * another; on case-insensitive file systems, two spellings of a part are equal.
 */
export function findNameConflict(name: string, existing: string[]): string | null {
  const own = pathPrefixes(name);
  for (const other of existing) {
    const theirs = pathPrefixes(other);
    const depth = Math.min(own.length, theirs.length);
    for (let index = 0; index < depth; index++) {
      const [mine, there] = [own[index]!, theirs[index]!];
      if (mine.toLowerCase() !== there.toLowerCase()) break;
      if (mine !== there || mine === name || there === other) return other;
    }
  }
  return null;
}

/** `a`, `a/b` and `a/b/c` for `a/b/c`. */
function pathPrefixes(name: string): string[] {
  const parts = name.split('/');
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** Throws `bad_request` for an invalid branch name. Working branch names are reserved. */
export function requireValidBranchName(name: string): void {
  const isReserved = RESERVED_PREFIX.test(name.split('/', 1)[0]!);
  if (BRANCH_NAME.test(name) && isBranchName(name) && !isReserved) return;
  throw new AppError('bad_request', 'bad_branch_name', { reason: 'invalid_branch_name' });
}
