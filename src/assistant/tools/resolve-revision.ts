import { AppError } from '#contract/errors.ts';
import { findRevision } from '#git/revisions.ts';
import { inlineCode } from '../answer/markdown.ts';
import type { ToolContext } from './tool.ts';

type RevisionContext = Pick<ToolContext, 'repo' | 'index' | 'localBranches'>;

/**
 * Number of the indexed commit that a hash, tag or branch names. Commits that the indexed head does not reach, such as
 * another user's unpushed branch, are not found. Throws `not_found`.
 */
export async function requireCommit(name: string, context: RevisionContext): Promise<number> {
  const commit = await findIndexedCommit(name, context);
  if (commit >= 0) return commit;
  throw new AppError('not_found', 'tool_revision_not_found', { params: { revision: inlineCode(name) } });
}

/** Like `requireCommit`, but returns -1 for an unknown revision. */
export async function findIndexedCommit(
  name: string,
  { repo, index: { commits, revision }, localBranches }: RevisionContext,
): Promise<number> {
  const findIndexed = (hash: string) => {
    const number = commits.find(hash);
    return number === -1 ? null : commits.oid(number);
  };
  const ownBranches = localBranches ? 'all' : [];
  const found = await findRevision(name, {
    repo,
    findIndexed,
    head: revision,
    ownBranches,
    indexedOnly: true,
  });
  return found === null ? -1 : commits.find(found.commit);
}

/** Full hash of a named revision; that of the index without a name. Throws `not_found`. */
export async function resolveOid(name: string | undefined, context: ToolContext): Promise<string> {
  if (name === undefined) return context.index.revision;
  return context.index.commits.oid(await requireCommit(name, context));
}
