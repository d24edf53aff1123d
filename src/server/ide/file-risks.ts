import type { FileRisks } from '#contract/analysis.ts';
import { AppError } from '#contract/errors.ts';
import { listChangedFiles } from '#git/branches.ts';
import { findEntry } from '#git/tree.ts';
import type { Deps } from '../deps.ts';
import type { AccessibleProject } from '../identity/access.ts';
import { readFromGit } from '../project-data/git-reads.ts';
import { hunksFolder } from '../project-data/hunks.ts';
import { requireIndex } from '../project-data/storage.ts';
import { readTextContent, resolveVersion } from './files.ts';

/** Changed files of a branch that are read. */
const MAX_CHANGED = 1_000;

interface Reader {
  project: AccessibleProject;
  userId: string;
  signal: AbortSignal;
}

/** Finds what the history says about changing a file of a version, from the index. */
export async function readFileRisks(
  deps: Deps,
  reader: Reader,
  { path, ref }: { path: string; ref: string | null },
): Promise<FileRisks> {
  const { project, userId, signal } = reader;
  const repo = await deps.projectFiles.repositories.open(project.id);
  const { shared, revision } = await requireIndex(deps, project);
  const { commit } = await resolveVersion(deps, repo, { ...reader, ref });
  const { text, changed } = await readFromGit(deps, reader, async (signal) => {
    const entry = await findEntry(repo, commit, path);
    if (entry?.type !== 'blob') throw new AppError('not_found', 'file_not_found');
    const differs = commit !== revision;
    const range = { from: revision, to: commit, max: MAX_CHANGED, signal };
    return {
      text: (await readTextContent(repo, entry.oid, signal)).text,
      changed: differs ? (await listChangedFiles(repo, range)).files.map((file) => file.path) : [],
    };
  });
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  const hunks = hunksFolder(deps.config.dataDir, project.id);
  return await deps.pool.findFileRisks({ repo, shared, hunks, path, lines, changed }, { userId, signal });
}
