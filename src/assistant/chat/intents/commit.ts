import { citeCommit } from '../../answer/citations.ts';
import { describeCommit } from '../../tools/describe-commit.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { entitiesOf } from '../understand/entities.ts';
import type { Reading } from '../understand/reading.ts';
import type { IntentAnswer } from './intent.ts';

/** Describes the commit that the question names. */
export async function answerCommit(
  { mentions }: Reading,
  context: ToolContext,
): Promise<IntentAnswer | null> {
  const [named] = entitiesOf(mentions, 'commit');
  if (!named) return null;
  const { commits } = context.index;
  return {
    text: await describeCommit(named.commit, context),
    evidence: 1,
    understood: { key: 'commit', params: { commit: citeCommit(commits.oid(named.commit), commits) } },
  };
}
