import type { ChangedSince } from '#contract/error-findings.ts';
import { findLaterChange } from '#investigate/changed/find-later-change.ts';
import { CHANGES_WITH_CODE, type InvestigateDeps } from '#investigate/investigate.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { answerText } from '../answer/answer-text.ts';
import { fencedBlock, formatCommit, inlineCode } from '../answer/markdown.ts';
import { toChangedLine } from './error-claims.ts';
import { hunkText, type SolutionContext } from './solution.ts';

/** The change of the line that fails in a past revision, by a commit of the newest one, with its section of the answer. */
export async function describeLaterChange(
  context: SolutionContext,
  {
    repo,
    hunks = null,
    index,
    newest,
    signal,
  }: Pick<InvestigateDeps, 'repo' | 'hunks' | 'index' | 'signal'> & { newest: RepositoryIndex },
): Promise<{ change: ChangedSince; section: string } | null> {
  const { kind, trace, frames } = context.investigation;
  if (!CHANGES_WITH_CODE.has(kind)) return null;
  const found = await findLaterChange({ trace, frames, newest, index, repo, hunks, signal });
  if (!found) return null;
  const { path, line, how, commit, hunk } = found;
  const params = { place: inlineCode(`${path}:${line}`), commit: formatCommit(newest, commit) };
  const section = [
    `### ${answerText(context, 'debug.later_title')}`,
    answerText(context, `debug.later_${how}`, params),
    fencedBlock('diff', hunkText(hunk)),
  ].join('\n\n');
  return { change: toChangedLine(found, newest), section };
}
