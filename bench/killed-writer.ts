import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../src/contract/errors.ts';
import { connect } from '../src/db/connect.ts';
import { MAX_BRANCH_LOCKS } from '../src/db/lock.ts';
import { hashBlob, planCommit, writeCommit } from '../src/git/write.ts';
import { findBranch } from '../src/server/project-data/branches.ts';
import { commitToBranch } from '../src/server/project-data/commit-to-branch.ts';
import { openProjectFiles } from '../src/server/project-data/project-files.ts';
import { openObjectStore } from '../src/storage/open-store.ts';

/*
 * The child of `bench/killed-writers.ts`: saves a new file after the other on a branch, and prints the path of each once it is
 * acknowledged, until it is killed.
 */
const [
  databaseUrl = '',
  dataDir = '',
  storeUrl = '',
  projectId = '',
  userId = '',
  branchName = '',
  run = '',
] = process.argv.slice(2);
const { db } = connect(databaseUrl);
const { db: lockDb } = connect(databaseUrl, { max: MAX_BRANCH_LOCKS });
const settings = { url: storeUrl, region: 'us-east-1', accessKey: 'S3RVER', secretKey: 'S3RVER' };
const { repositories } = openProjectFiles({ db, dataDir, store: openObjectStore(settings) });
const owner = { projectId, userId, username: 'ada' };
const { indexed_commit: indexed } = await db
  .selectFrom('projects')
  .select('indexed_commit')
  .where('id', '=', projectId)
  .executeTakeFirstOrThrow();
const author = { name: 'Ada', email: 'ada@example.org', time: 1_700_000_000 };

for (let number = 1; ; number++) {
  const path = `n/${run}-${number}.txt`;
  // As the editor does: a server that is busy is asked again.
  while (!(await save(path).then(() => true, requireBusy))) await sleep(200);
  process.stdout.write(`${path}\n`);
  // The repository is published now and then, as a worker does while others save.
  if (number % 7 === 0) await repositories.publish(projectId).catch(requireBusy);
}

async function save(path: string): Promise<void> {
  const repo = await repositories.open(projectId);
  const branch = await findBranch(db, owner, branchName);
  const content = Buffer.from(`${path}\n`);
  const target = {
    ...{ lockDb, repositories, repo, owner, branch, branchName, indexed: indexed!, author },
    quota: { userMb: 0, repositoryMb: 5120 },
  };
  await commitToBranch(target, async (parent) => {
    const oid = hashBlob(content, parent);
    const plan = await planCommit(repo, {
      parent,
      changes: [{ path, blob: { oid, mode: '100644', content } }],
    });
    const write = () => writeCommit(repo, plan, { message: `Add ${path}\n`, by: author });
    return { bytes: plan.bytes, write };
  });
}

function requireBusy(error: unknown): false {
  if (!(error instanceof AppError) || error.code !== 'unavailable') throw error;
  return false;
}
