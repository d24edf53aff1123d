import { type Kysely, sql } from 'kysely';
import { isoTime } from '#contract/iso-time.ts';
import type { StoredProofResult } from '#db/proof-tables.ts';
import type { Database } from '#db/schema.ts';
import { readCommitSummaries } from '#git/branches.ts';
import type { ProofRow } from './queries.ts';

/** Findings before the first run. */
export const EMPTY_RESULT: StoredProofResult = {
  reused: [],
  runs_left: null,
  current: null,
  candidates: [],
  failure: null,
};

const MAX_NAME = 200;
const MAX_SUBJECT = 500;

/** Reads subject, author and time of the commit that is proven. */
export async function readCulprit(repo: string, commit: string): Promise<StoredProofResult['culprit']> {
  const found = (await readCommitSummaries(repo, [commit])).get(commit);
  if (!found) return undefined;
  return {
    hash: commit,
    message: found.subject.slice(0, MAX_SUBJECT),
    author: found.author.slice(0, MAX_NAME),
    timestamp: isoTime(found.time),
  };
}

/** Stores the proven commit as the mark of the proof's author, by which confidences are fitted. */
export async function saveProvenLabel(
  db: Kysely<Database>,
  {
    project_id,
    session_id,
    user_id,
    first_bad,
  }: Pick<ProofRow, 'project_id' | 'session_id' | 'user_id' | 'first_bad'>,
): Promise<void> {
  if (user_id === null || first_bad === null) return;
  await db
    .insertInto('debug_labels')
    .values({ project_id, session_id, user_id, commit: first_bad, place: null })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'session_id', 'user_id'])
        .doUpdateSet({ commit: sql<string>`excluded.commit` }),
    )
    .execute();
}
