import { answerText } from '../../answer/answer-text.ts';
import { citeCommit } from '../../answer/citations.ts';
import { inlineCode } from '../../answer/markdown.ts';
import { describeCommit } from '../../tools/describe-commit.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { findAskedCommits } from '../history/find-commit.ts';
import { firstRelease } from '../history/first-release.ts';
import { formatCandidates, issuesIn } from '../history/format-history.ts';
import type { Reading } from '../understand/reading.ts';
import type { IntentAnswer } from './intent.ts';

/** Share of the best score from which another commit is listed as well. */
const CLOSE_SHARE = 0.85;
const MAX_CANDIDATES = 3;

/** Describes the commit that the question names by hash, number or words: reason, changes, fate and first release. */
export async function answerCommit(reading: Reading, context: ToolContext): Promise<IntentAnswer | null> {
  const [best, ...others] = findAskedCommits(reading, context);
  if (!best) return null;
  const { commits } = context.index;
  const issues = issuesIn(commits.message(best.commit));
  const tag = await firstRelease(best.commit, context);
  const close = others.filter(({ score }) => score >= best.score * CLOSE_SHARE).map(({ commit }) => commit);
  const parts = [
    await describeCommit(best.commit, context),
    issues.length > 0 ? answerText(context, 'origin.references', { issues: issues.join(', ') }) : '',
    tag === null ? '' : answerText(context, 'origin.released', { tag: inlineCode(tag) }),
    ...formatCandidates(close.slice(0, MAX_CANDIDATES), context),
  ];
  return {
    text: parts.filter((part) => part !== '').join('\n\n'),
    evidence: best.score,
    understood: { key: 'commit', params: { commit: citeCommit(commits.oid(best.commit), commits) } },
  };
}
