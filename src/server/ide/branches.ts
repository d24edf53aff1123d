import type { Kysely, Selectable } from 'kysely';
import { AppError } from '#contract/errors.ts';
import type { BranchesTable, Database } from '#db/schema.ts';
import { isBranchName, listBranchNames } from '#git/branch-names.ts';
import { readRefs } from '#git/refs.ts';
import { lockUser } from '../identity/user-store.ts';

/** What begins the name of everybody's working branch. */
const WORKING = 'hindsight/';
const NAME = /^[A-Za-z0-9][A-Za-z0-9._/-]*$/;
/** Names under which git keeps refs of its own; on some file systems in any case. */
const RESERVED = /^(?:hindsight|refs|[a-z_]*head)$/i;
const MAX_BRANCHES = 200;

export type BranchRow = Selectable<BranchesTable>;

/** Whose branch, in which project. */
export interface BranchOwner {
  projectId: string;
  userId: string;
}

/** The user's branch with this name, or their working branch; null before it is begun. */
export async function findBranch(
  db: Kysely<Database>,
  { projectId, userId }: BranchOwner,
  name: string | null,
): Promise<BranchRow | null> {
  const own = db
    .selectFrom('branches')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId);
  // A new username keeps the branch that was begun under the old one.
  const wanted = name === null ? own.where('name', 'like', `${WORKING}%`) : own.where('name', '=', name);
  return (await wanted.orderBy('created_at').executeTakeFirst()) ?? null;
}

/**
 * Names under which a user's branch may begin, the first one first.
 * @throws AppError `bad_request` for a name that can't be
 */
export function* candidateBranchNames(username: string, name: string | null): Generator<string> {
  const working = WORKING + username;
  if (name !== null && name !== working) {
    requireValidBranchName(name);
    return yield name;
  }
  // Whoever had this username before keeps the branch.
  for (let number = 1; number <= MAX_BRANCHES; number++)
    yield number === 1 ? working : `${working}-${number}`;
}

/** The commit at which a branch stands in the repository; null while nothing has been saved to it. */
export async function readBranchHead(repo: string, branch: Pick<BranchRow, 'name'>): Promise<string | null> {
  const ref = `refs/heads/${branch.name}`;
  return (await readRefs(repo, [ref])).get(ref) ?? null;
}

/**
 * Throws unless a branch of this name can begin: `conflict` when the name is taken or lies in the way of another,
 * `too_large` when the user has too many.
 */
export async function requireNewBranch(
  db: Kysely<Database>,
  repo: string,
  { projectId, userId }: BranchOwner,
  name: string,
): Promise<void> {
  const taken = await db
    .selectFrom('branches')
    .select('name')
    .where('project_id', '=', projectId)
    .where('name', '=', name)
    .executeTakeFirst();
  if (taken) throw new AppError('conflict', 'This branch belongs to another member.', NAME_TAKEN);
  await requireFreeBranchName(repo, name);
  await lockUser(db, userId);
  const { count } = await db
    .selectFrom('branches')
    .select((select) => select.fn.countAll<string>().as('count'))
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  if (Number(count) < MAX_BRANCHES) return;
  const text = `You have ${MAX_BRANCHES} branches in this project, which is the limit. Save to one of them.`;
  throw new AppError('too_large', text, { reason: 'too_many_branches' });
}

const NAME_TAKEN = { reason: 'branch_taken' };

/** Throws unless git can make a branch of this name beside those that are there. */
export async function requireFreeBranchName(repo: string, name: string): Promise<void> {
  const other = findNameConflict(name, await listBranchNames(repo));
  if (other === null) return;
  const text = `The name ${name} is in the way of the branch ${other}. Choose another name.`;
  throw new AppError('conflict', text, NAME_TAKEN);
}

/**
 * The branch that a new name would collide with: git keeps a branch as a file, so that none can be a folder of another;
 * and where a file system does not tell case apart, two spellings of a part are one.
 */
export function findNameConflict(name: string, existing: string[]): string | null {
  const own = prefixesOf(name);
  for (const other of existing) {
    const theirs = prefixesOf(other);
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
function prefixesOf(name: string): string[] {
  const parts = name.split('/');
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** Throws `bad_request` unless a branch can have this name; that of a working branch is the user's name alone. */
export function requireValidBranchName(name: string): void {
  const isOurs = RESERVED.test(name.split('/', 1)[0]!);
  if (NAME.test(name) && isBranchName(name) && !isOurs) return;
  throw new AppError(
    'bad_request',
    'A branch can’t have this name. Use letters, digits, `.`, `_`, `-` and `/`, and no part that ends with `.lock`.',
    { reason: 'bad_branch' },
  );
}
