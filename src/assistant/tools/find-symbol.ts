import { z } from 'zod';
import { code } from '../markdown.ts';
import { sayDefinition } from './definition.ts';
import { sayReferences } from './references.ts';
import { findDefinitions } from './symbols.ts';
import { defineTool, words } from './tool.ts';

export const findSymbol = defineTool('find_symbol', {
  input: z.object({
    name: words(200).describe('A name as the code spells it'),
    references: z.boolean().default(false).describe('Where it is used instead of where it is defined'),
  }),
  async execute({ name: given, references }, context) {
    const table = context.memory.code;
    if (!table) return 'The code has not been read yet.';
    const name = given.replace(/\(.*$/s, '').replaceAll(/::|#/g, '.').trim() || given;
    const found = findDefinitions(name, table);
    if (references) return await sayReferences(found ?? { name, passages: [] }, context);
    return found
      ? await sayDefinition(found, context)
      : `Nothing called ${code(name)} is defined in the code.`;
  },
});
