import { AppError } from '#contract/errors.ts';
import { resolveCommit } from '#git/refs.ts';
import { code } from '../markdown.ts';
import type { ToolContext } from './tool.ts';

/**
 * The number of the remembered commit that a hash, tag or branch means. What the project's head does not reach, such
 * as the unpushed branch of somebody else, is not there. Throws `not_found`.
 */
export async function rememberedCommit(
  name: string,
  { repo, memory }: Pick<ToolContext, 'repo' | 'memory'>,
): Promise<number> {
  const { commits } = memory;
  const known = /^[0-9a-f]{7,64}$/.test(name) ? commits.find(name) : -1;
  if (known >= 0) return known;
  const oid = await resolveCommit(repo, name);
  const found = oid === null ? -1 : commits.find(oid);
  if (found >= 0) return found;
  throw new AppError('not_found', `The history has no commit, tag or branch called ${code(name)}.`);
}

/** The full hash of a named revision; the memory's own without a name. Throws `not_found`. */
export async function oidOf(name: string | undefined, context: ToolContext): Promise<string> {
  if (name === undefined) return context.memory.revision;
  return context.memory.commits.oid(await rememberedCommit(name, context));
}
