import { inlineCode } from '../../answer/markdown.ts';
import { describeDefinition } from '../../tools/describe-definition.ts';
import { describeFile } from '../../tools/describe-file.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { entitiesOf } from '../understand/entities.ts';
import type { Reading } from '../understand/reading.ts';
import type { IntentAnswer } from './intent.ts';

/** Describes the file that the question names, or else the definition. */
export async function answerExplanation(
  { mentions }: Reading,
  context: ToolContext,
): Promise<IntentAnswer | null> {
  const [entity] = entitiesOf(mentions, 'file', 'symbol');
  if (!entity) return null;
  if (entity.kind === 'file') {
    if (entity.lines) return null;
    const { path } = entity;
    const text = await describeFile.execute({ path }, context);
    return { text, evidence: 0.8, understood: { key: 'explanation', params: { name: inlineCode(path) } } };
  }
  if (!context.index.code) return null;
  const text = await describeDefinition(entity, context);
  return {
    text,
    evidence: 0.8,
    understood: { key: 'explanation', params: { name: inlineCode(entity.name) } },
  };
}
