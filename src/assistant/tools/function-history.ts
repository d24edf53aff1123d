import { z } from 'zod';
import { lineage } from '#git/lineage.ts';
import { citeLines } from '../answer/citations.ts';
import { fencedBlock, formatCommit, inlineCode } from '../answer/markdown.ts';
import { findDefinitions } from './find-definitions.ts';
import { defineTool, limitInput, pathInput, type ToolContext, textInput } from './tool.ts';

const MAX_HUNK_LINES = 30;

export const functionHistory = defineTool('function_history', {
  input: z.object({
    name: textInput(200).describe('A name as the code spells it'),
    path: pathInput.optional(),
    limit: limitInput(20, 6),
  }),
  async execute({ name, path: file, limit: most }, context) {
    const { repo, index, signal } = context;
    const place = findDefinitionPlace(name, file, context);
    if (!place)
      return `Nothing called ${inlineCode(name)} is defined in the code${file ? ` of ${inlineCode(file)}` : ''}.`;
    const { path: where, from, to } = place;
    const changes = await lineage(repo, {
      commit: index.revision,
      path: where,
      from,
      to,
      maxCommits: most,
      signal,
    });
    const shown = changes.flatMap(({ oid, patch }) => {
      const commit = index.commits.find(oid);
      if (commit < 0) return [];
      const lines = patch.slice(0, MAX_HUNK_LINES);
      return [`${formatCommit(index, commit)}:\n\n${fencedBlock('diff', lines.join('\n'))}`];
    });
    return [
      `${inlineCode(name)} in ${citeLines({ ...place, commit: index.revision }, index.commits)}, the newest change first:`,
      ...shown,
    ].join('\n\n');
  },
});

function findDefinitionPlace(
  name: string,
  file: string | undefined,
  { index: { code: table } }: ToolContext,
) {
  const found = table && findDefinitions(name.replaceAll(/::|#/g, '.'), table);
  if (!found) return null;
  const places = found.passages.flatMap((passage) => {
    const { start, end } = table.passageLines(passage);
    return table.passageFiles(passage).map((number) => ({
      path: table.filePath(number),
      from: start,
      to: Math.min(end, table.fileLines(number)),
    }));
  });
  return places.find((place) => file === undefined || place.path === file) ?? null;
}
