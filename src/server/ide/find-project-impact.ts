import { AppError } from '#contract/errors.ts';
import { type Impact, MAX_IMPACT_PATHS } from '#contract/impact.ts';
import { diffBetween } from '#git/diff.ts';
import { mergeBase } from '#git/refs.ts';
import type { Deps } from '../deps.ts';
import type { AccessibleProject } from '../identity/access.ts';
import { requireIndex } from '../project-data/storage.ts';
import { resolveVersion } from './files.ts';

interface Reader {
  project: AccessibleProject;
  userId: string;
  signal: AbortSignal;
}

/** Finds what a change of a symbol, a file or a branch may affect. Throws `invalid_input` unless exactly one is given. */
export async function findProjectImpact(
  deps: Deps,
  reader: Reader,
  query: { symbol?: string | undefined; path?: string | undefined; branch?: string | undefined },
): Promise<Impact> {
  const { project, userId, signal } = reader;
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  if (given.length !== 1) throw new AppError('invalid_input', 'impact_subject');
  const [kind, name] = given[0] as ['symbol' | 'path' | 'branch', string];
  const repo = await deps.projectFiles.repositories.open(project.id);
  const { shared, revision } = await requireIndex(deps, project);
  if (kind !== 'branch') {
    return await deps.pool.findImpact({ repo, shared, subject: { kind, name } }, { userId, signal });
  }
  const { commit } = await resolveVersion(deps, repo, { ...reader, ref: name });
  const before = (await mergeBase(repo, revision, commit)) ?? revision;
  const files = await diffBetween(repo, before, commit, { context: 0, ignoreWhitespace: true, signal });
  const subject = { kind, name, files: files.slice(0, MAX_IMPACT_PATHS) };
  return await deps.pool.findImpact({ repo, shared, subject }, { userId, signal });
}
