import { z } from 'zod';
import { inlineCode } from '../answer/markdown.ts';
import { describeDefinition } from './describe-definition.ts';
import { findDefinitions } from './find-definitions.ts';
import { listReferences } from './list-references.ts';
import { defineTool, textInput } from './tool.ts';

export const findSymbol = defineTool('find_symbol', {
  input: z.object({
    name: textInput(200).describe('Name as it is written in the code'),
    references: z.boolean().default(false).describe('List references instead of definitions'),
  }),
  async execute({ name: written, references }, context) {
    const table = context.index.code;
    if (!table) return 'The code has not been indexed yet.';
    const name = written.replace(/\(.*$/s, '').replaceAll(/::|#/g, '.').trim() || written;
    const found = findDefinitions(name, table);
    if (references) return await listReferences(found ?? { name, passages: [] }, context);
    return found
      ? await describeDefinition(found, context)
      : `Nothing called ${inlineCode(name)} is defined in the code.`;
  },
});
