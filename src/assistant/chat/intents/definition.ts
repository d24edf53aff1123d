import { inlineCode } from '../../answer/markdown.ts';
import { describeDefinition } from '../../tools/describe-definition.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { entitiesOf } from '../understand/entities.ts';
import type { Reading } from '../understand/reading.ts';
import type { IntentAnswer } from './intent.ts';

/** Lists the definitions of a name. */
export async function answerDefinition(
  { mentions }: Reading,
  context: ToolContext,
): Promise<IntentAnswer | null> {
  const [symbol] = entitiesOf(mentions, 'symbol');
  if (!symbol || !context.index.code) return null;
  return {
    text: await describeDefinition(symbol, context),
    evidence: 0.9,
    understood: { key: 'definition', params: { name: inlineCode(symbol.name) } },
  };
}
