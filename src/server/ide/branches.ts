import type { Kysely, Selectable } from 'kysely';
import { AppError } from '#contract/errors.ts';
import type { BranchesTable, Database } from '#db/schema.ts';
import { resolveCommit } from '#git/refs.ts';
import { isRefName } from '#git/run.ts';

/** What begins the name of everybody's working branch. */
const WORKING = 'hindsight/';
const NAME = /^[A-Za-z0-9][A-Za-z0-9._/-]*$/;

export type Branch = Selectable<BranchesTable>;

/** Whose branch, in which project. */
export interface Owner {
  projectId: string;
  userId: string;
}

/** The user's branch with this name, or their working branch; null before it is begun. */
export async function findBranch(
  db: Kysely<Database>,
  { projectId, userId }: Owner,
  name: string | null,
): Promise<Branch | null> {
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
 * The branch to save to: the user's with this name or their working branch, begun at `base` where there is none.
 * @throws AppError `bad_request` for a name that can't be, `conflict` for somebody else's branch
 */
export async function ownBranch(
  db: Kysely<Database>,
  owner: Owner & { username: string; base: string },
  name: string | null,
): Promise<Branch> {
  const found = await findBranch(db, owner, name);
  if (found) return found;
  const working = WORKING + owner.username;
  if (name !== null && name !== working) {
    checkName(name);
    const begun = await begin(db, owner, name);
    if (begun === null) throw new AppError('conflict', 'This branch belongs to another member.');
    return begun;
  }
  // Whoever had this username before keeps the branch.
  for (let number = 1; ; number++) {
    const begun = await begin(db, owner, number === 1 ? working : `${working}-${number}`);
    if (begun) return begun;
  }
}

/** The commit at which a branch stands in the repository; null while nothing has been saved to it. */
export async function branchHead(repo: string, branch: Pick<Branch, 'name'>): Promise<string | null> {
  return await resolveCommit(repo, `refs/heads/${branch.name}`);
}

/** Null when somebody else owns a branch of this name. */
async function begin(
  db: Kysely<Database>,
  { projectId, userId, base }: Owner & { base: string },
  name: string,
): Promise<Branch | null> {
  await db
    .insertInto('branches')
    .values({ project_id: projectId, user_id: userId, name, base, head: base })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return await findBranch(db, { projectId, userId }, name);
}

function checkName(name: string): void {
  if (NAME.test(name) && isRefName(name) && name !== 'HEAD' && !`${name}/`.startsWith(WORKING)) return;
  throw new AppError('bad_request', 'A branch can’t have this name.', { reason: 'bad_branch' });
}
