import { type Kysely, sql } from 'kysely';
import { AppError } from '#contract/errors.ts';
import type { Database } from '#db/schema.ts';
import { findFixChanges } from '#evolution/changed-fixes.ts';
import { hasCommit } from '#git/refs.ts';
import type { Deps } from '../deps.ts';
import type { ServerJob } from '../events.ts';
import { projectJobOptions } from '../project-data/project-owner.ts';

/** Commits of one run: those of a day's work in a busy repository. */
const MAX_COMMITS = 60;
/** Stored changes of one project; the list shows the newest. */
const MAX_STORED = 200;

interface FixedCodeJob {
  project_id: string;
  /** Commit that was indexed before; null after the first run. */
  previous: string | null;
  commit: string;
}

/** Returns the job that looks for fixes among the code that new commits changed. */
export function fixedCodeJob(deps: Deps): ServerJob<FixedCodeJob> {
  return {
    name: 'fixed-code',
    concurrency: 1,
    retryLimit: 1,
    ...projectJobOptions(deps),
    afterIndexing: ({ projectId, previous, commit }) => ({ project_id: projectId, previous, commit }),
    run: async ({ project_id, previous, commit }, { signal: stop }) => {
      const signal = deps.projectCancellation.signalFor(project_id, stop);
      const repo = await deps.projectFiles.repositories.open(project_id);
      try {
        // A rewritten history may not contain the former commit.
        const base = previous !== null && (await hasCommit(repo, previous)) ? previous : null;
        const span = { repo, head: commit, base, maxCommits: MAX_COMMITS, signal };
        const { changed, undone } = await findFixChanges(span);
        const changedFixes = await saveChangedFixes(deps.db, project_id, changed);
        const removedFixes = await saveUndoneFixes(deps.db, project_id, undone);
        // No one is notified of the history that a project begins with.
        if (base === null) return;
        for (const one of removedFixes) {
          deps.events.emit({ type: 'fix-undone', projectId: project_id, ...one });
        }
        const isRemoved = (change: { commit: string; fix: string }) =>
          removedFixes.some(({ commit, fix }) => commit === change.commit && fix === change.fix);
        for (const one of changedFixes.filter((change) => !isRemoved(change))) {
          deps.events.emit({ type: 'fixed-lines-changed', projectId: project_id, ...one });
        }
      } catch (error) {
        // The repository was deleted or replaced meanwhile.
        if (signal.aborted || !(error instanceof AppError)) throw error;
      }
    },
  };
}

type FixChanges = Awaited<ReturnType<typeof findFixChanges>>;

/** Saves changes of fixed lines; returns the new ones. */
async function saveChangedFixes(
  db: Kysely<Database>,
  project_id: string,
  found: FixChanges['changed'],
): Promise<{ commit: string; fix: string }[]> {
  if (found.length === 0) return [];
  const added = await db
    .insertInto('fixed_code_changes')
    .values(
      found.map(({ committed, fixSubject: fix_subject, ...change }) => ({
        ...{ ...change, project_id, fix_subject },
        committed_at: new Date(committed * 1000),
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning(['commit', 'fix'])
    .execute();
  await sql`
    delete from fixed_code_changes where project_id = ${project_id} and commit not in (
      select commit from fixed_code_changes where project_id = ${project_id}
      order by committed_at desc limit ${MAX_STORED}
    )`.execute(db);
  return added;
}

/** Saves removed fixes; returns the new ones. */
async function saveUndoneFixes(
  db: Kysely<Database>,
  project_id: string,
  found: FixChanges['undone'],
): Promise<{ commit: string; fix: string }[]> {
  if (found.length === 0) return [];
  const added = await db
    .insertInto('undone_fixes')
    .values(
      found.map(
        ({ commit, subject, author, path, line, basis, fix, fixSubject: fix_subject, committed }) => ({
          ...{ project_id, commit, subject, author, path, line, basis, fix, fix_subject },
          committed_at: new Date(committed * 1000),
        }),
      ),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning(['commit', 'fix'])
    .execute();
  await sql`
    delete from undone_fixes where project_id = ${project_id} and (commit, fix) not in (
      select commit, fix from undone_fixes where project_id = ${project_id}
      order by committed_at desc limit ${MAX_STORED}
    )`.execute(db);
  return added;
}
